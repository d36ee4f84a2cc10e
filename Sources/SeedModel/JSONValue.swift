/// A JSON document to be written: the machine-readable form of a command's result.
///
/// The members of an object keep the order in which they were given, so that the same value is
/// always written as the same text.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number with a fraction; one that is not finite is written as `null`, as JSON has no form
  /// for it.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One name and value of an object.
  package struct Member: Sendable, Hashable {
    /// The member's name, unique within its object.
    package var name: String
    /// The member's value.
    package var value: JSONValue

    /// Creates a member.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// A string, or `null` when there is none.
  package static func string(_ text: String?) -> JSONValue {
    guard let text else { return .null }
    return .string(text)
  }

  /// An integer, or `null` when there is none.
  package static func integer(_ value: Int64?) -> JSONValue {
    guard let value else { return .null }
    return .integer(value)
  }

  /// An integer of the platform's width.
  package static func integer(_ value: Int) -> JSONValue {
    .integer(Int64(value))
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  package init(nilLiteral: ()) {
    self = .null
  }

  /// Creates a truth value.
  package init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// Creates an integer.
  package init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// Creates a string.
  package init(stringLiteral value: String) {
    self = .string(value)
  }

  /// Creates an array.
  package init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }

  /// Creates an object whose members stand in the order given.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
