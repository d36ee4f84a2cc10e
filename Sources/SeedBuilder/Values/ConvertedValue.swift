/// What to store for one value.
package enum ConvertedValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  /// The very bytes that were given.
  case sameText
  /// A text of the given number of bytes that stands in the scratch buffer.
  case scratchText(count: Int)
  /// The bytes that the given ones are the Base64 of.
  case base64
  /// The column is not of the assumed type: its statistics say what it is now.
  case contradiction
}
