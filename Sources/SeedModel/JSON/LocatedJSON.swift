/// A JSON value of a file that people write, with the place of each of its parts.
package struct LocatedJSON: Sendable, Hashable {
  /// The kinds of value that RFC 8259 knows.
  package enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent, which is never rounded.
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([LocatedJSON])
    case object([Member])
  }

  /// One name and value of an object.
  package struct Member: Sendable, Hashable {
    /// The name, with the place of its first quote.
    package var name: Located<String>
    /// The value.
    package var value: LocatedJSON

    /// Creates a member.
    package init(name: Located<String>, value: LocatedJSON) {
      self.name = name
      self.value = value
    }
  }

  /// The value itself.
  package var value: Value
  /// The place of its first character.
  package var location: SourceLocation
  /// A number as it is written: of a parser that keeps that, or where the value has not kept all of
  /// its digits.
  ///
  /// Of the former, the value is the nearest double where no 64 bits hold the number, which may be
  /// infinite.
  package var literal: String?

  /// Creates a value with its place.
  package init(_ value: Value, at location: SourceLocation) {
    self.value = value
    self.location = location
  }
}

extension LocatedJSON {
  /// What kind of value it is, with its article: `a string`.
  package var kindName: String {
    switch value {
    case .null: "null"
    case .bool: "a truth value"
    case .integer: "a number"
    case .number: "a number with a fraction"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value without its places.
  package var plain: JSONValue {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.plain))
    case .object(let members):
      .object(members.map { JSONValue.Member($0.name.value, $0.value.plain) })
    }
  }

  /// The members of an object; none of any other value.
  package var members: [Member] {
    if case .object(let members) = value { members } else { [] }
  }

  /// The value of an object's member; nil when there is none of this name.
  package subscript(_ name: String) -> LocatedJSON? {
    members.first { $0.name.value == name }?.value
  }
}
