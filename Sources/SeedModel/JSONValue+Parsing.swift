extension JSONValue {
  /// Reads a small document of our own making, such as a lock file, by the rules of RFC 8259.
  ///
  /// Integers are never rounded: those beyond 64 bits are an error. Inputs of a build are read
  /// elsewhere, in pieces.
  /// - Throws: ``JSONError``.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = LocatedJSONParser(try SourceText(bytes, file: ""))
    self = try parser.parse().plain
    if let repetition = parser.repetitions.first { throw repetition }
  }

  /// The value of an object's member; nil if this is no object or has no such member.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil for anything else.
  package var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number of an integer; nil for anything else.
  package var integerValue: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The elements of an array; nil for anything else.
  package var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
