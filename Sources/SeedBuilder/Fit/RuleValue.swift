internal import SeedFiles
internal import SeedModel
internal import SeedSQLite

/// A value that a rule gives, as its column stores it: a default or a constant.
enum RuleValue: Equatable {
  case plain(JSONValue)
  /// Bytes, which have no form in JSON.
  case data([UInt8])

  /// The value for SQLite to bind.
  var bound: SQLiteValue {
    switch self {
    case .plain(let value): SQLiteValue(value)
    case .data(let bytes): .blob(bytes)
    }
  }

  /// The value behind DEFAULT in SQL; nil for NULL, which needs no words.
  var sqlLiteral: String? {
    switch self {
    case .plain(let value): value.sqlLiteral
    case .data(let bytes): "x'\(SHA256Digest.hexadecimal(bytes))'"
    }
  }

  /// What became of the value of a rule.
  enum Outcome {
    case stored(RuleValue)
    /// It is none of its column's type, for a reason if there is more to say.
    case misfit(String?, hint: String?)
  }

  /// The value as a column stores it.
  ///
  /// A text is read as one of a source would be, by the same conversion, so that a default is what a
  /// record with this text would have.
  ///
  /// - Parameters:
  ///   - rule: The value of the rule.
  ///   - demand: What the column asks for.
  ///   - column: How its values are read.
  /// - Returns: What became of it.
  static func stored(
    _ rule: Located<JSONValue>, as demand: ColumnDemand, _ column: MappedTable.Column
  ) -> Outcome {
    let value = rule.value
    if case .string(let text) = value { return stored(text, column) }
    if let text = rule.spelling, demand.isNumber {
      // Only the column's type tells whether it may be rounded.
      var column = column
      column.conversion.hasDecimalComma = false
      return stored(text, column)
    }
    guard case .type(let type) = demand else { return .stored(.plain(value)) }
    switch (value, type) {
    case (.null, _), (.integer, .integer), (.integer, .decimal), (.number, .decimal),
      (.number, .real), (.bool, .boolean), (.array, .text), (.object, .text):
      return .stored(.plain(value))
    case (.integer(let number), .real) where Int64(exactly: Double(number)) == number:
      return .stored(.plain(.number(Double(number))))
    case (.integer(let number), .boolean) where (0...1).contains(number):
      return .stored(.plain(value))
    case (.integer(let number), .text): return .stored(.plain(.string("\(number)")))
    default: return .misfit(nil, hint: nil)
    }
  }

  private static func stored(_ text: String, _ column: MappedTable.Column) -> Outcome {
    var conversion = column.conversion
    return Array(text.utf8).withUnsafeBufferPointer { buffer in
      withUnsafeTemporaryAllocation(
        of: UInt8.self, capacity: ColumnConverter.scratchSize
      ) { scratch in
        let value = column.isTrimmed ? buffer.trimmed : buffer
        guard let room = scratch.baseAddress else { return .misfit(nil, hint: nil) }
        // An empty buffer may have no address.
        let base = value.baseAddress ?? UnsafePointer(room)
        if column.nullTexts.contains(Array(value)) { return .stored(.plain(.null)) }
        switch conversion.convert(base, value.count, into: room) {
        case .null: return .stored(.plain(.null))
        case .integer(let number): return .stored(.plain(.integer(number)))
        case .real(let number): return .stored(.plain(.number(number)))
        case .sameText: return .stored(.plain(.string(String(decoding: value, as: UTF8.self))))
        case .scratchText(let count):
          return .stored(
            .plain(
              .string(
                String(decoding: UnsafeBufferPointer(start: room, count: count), as: UTF8.self))))
        case .blob(let bytes): return .stored(.data(bytes))
        case .misfit(let reason, let hint): return .misfit(reason, hint: hint)
        }
      }
    }
  }
}

extension String {
  /// The text without the line break at its end.
  var trimmedLine: String { hasSuffix("\n") ? String(dropLast()) : self }
}
