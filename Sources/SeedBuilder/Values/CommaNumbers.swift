/// Whether the values of a column are numbers with a decimal comma, as far as that can be told: a comma
/// may part thousands just as well, so that such a column stays text.
///
/// Kept for what a build has to say about the column; no type follows from it.
enum CommaNumbers: Sendable, Hashable {
  /// No value has a comma so far, or nothing was looked for.
  case none
  /// Some values are numbers with a comma, and the others are integers.
  case all
  /// Some are something else.
  case mixed

  /// Takes note of the first value that leaves the column no form.
  ///
  /// - Parameters:
  ///   - text: The value.
  ///   - areIntegers: Whether all values before it are integers.
  init(first text: UnsafeBufferPointer<UInt8>, after areIntegers: Bool) {
    self = areIntegers && CommaNumbers.isCommaNumber(text) ? .all : .mixed
  }

  /// Takes one more value into account; says whether that has changed anything.
  mutating func observe(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard self == .all, count > 0, IntegerText.parse(bytes, count) == nil,
      !CommaNumbers.isCommaNumber(UnsafeBufferPointer(start: bytes, count: count))
    else { return false }
    self = .mixed
    return true
  }

  private static func isCommaNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.contains(UInt8(ascii: ",")) && DecimalComma.pointed(text) != nil
  }
}
