internal import SeedModel

/// Values that rules give: defaults and constants.
enum RuleValue {
  /// The value as a column stores it, or nil when it is none of its type.
  ///
  /// A text is read as one of a source would be, so that a date or a boolean may be written so.
  static func stored(_ value: JSONValue, as demand: ColumnDemand) -> JSONValue? {
    guard case .type(let type) = demand else { return value }
    switch (value, type) {
    case (.null, _): return value
    case (.string(let text), _): return stored(text, as: type)
    case (.integer, .integer), (.integer, .decimal), (.number, .decimal), (.number, .real),
      (.bool, .boolean), (.array, .text), (.object, .text):
      return value
    case (.integer(let number), .real):
      return Int64(exactly: Double(number)) == number ? .number(Double(number)) : nil
    case (.integer(let number), .boolean): return (0...1).contains(number) ? value : nil
    case (.integer(let number), .text): return .string("\(number)")
    default: return nil
    }
  }

  private static func stored(_ text: String, as type: DeclaredType) -> JSONValue? {
    if type == .text { return .string(text) }
    // Bytes have no form in JSON.
    guard var conversion = ValueConversion(.type(type)) else { return nil }
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { buffer in
      withUnsafeTemporaryAllocation(
        of: UInt8.self, capacity: ColumnConverter.scratchSize
      ) { scratch in
        guard let base = buffer.baseAddress, let room = scratch.baseAddress else { return nil }
        switch conversion.convert(base, buffer.count, into: room) {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .real(let number): return .number(number)
        case .sameText: return .string(text)
        case .scratchText(let count):
          return .string(
            String(decoding: UnsafeBufferPointer(start: room, count: count), as: UTF8.self))
        case .blob, .misfit: return nil
        }
      }
    }
  }
}

extension String {
  /// The text without the line break at its end.
  var trimmedLine: String { hasSuffix("\n") ? String(dropLast()) : self }
}
