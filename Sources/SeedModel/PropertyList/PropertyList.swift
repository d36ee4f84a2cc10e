/// A property list: what Apple's frameworks store of plain values (`man 5 plist`).
package indirect enum PropertyList: Sendable, Hashable {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// A point in time, in seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case data([UInt8])
  case string(String)
  /// The number of an object in a keyed archive.
  case identifier(UInt64)
  case array([PropertyList])
  case dictionary([String: PropertyList])

  /// The members of a dictionary; nil for anything else.
  package var dictionary: [String: PropertyList]? {
    if case .dictionary(let members) = self { members } else { nil }
  }

  /// The elements of an array; nil for anything else.
  package var array: [PropertyList]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text of a string; nil for anything else.
  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The bytes of data; nil for anything else.
  package var data: [UInt8]? {
    if case .data(let bytes) = self { bytes } else { nil }
  }

  /// The number of an integer; nil for anything else.
  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}
