internal import SeedModel
internal import SeedSQLite

/// Reads a natural key as a column reads the texts that it is filled from.
struct NaturalKeyReading {
  /// What a text is to the column.
  enum Key {
    /// The lack of a value.
    case null
    /// A value as it is bound to the column.
    case value(SQLiteValue)
    /// No value of the column.
    case misfit
  }

  /// The column, with its conversion, its texts for NULL and its blanks.
  let column: MappedTable.Column

  func key(of text: String) -> Key {
    var text = text
    return text.withUTF8 { bytes in
      let value = column.isTrimmed ? bytes.trimmed : bytes
      guard let base = value.baseAddress, !value.isEmpty else { return .null }
      if column.nullTexts.contains(Array(value)) { return .null }
      let key = NaturalKeyReading.key(of: base, value.count, column.conversion)
      guard case .misfit = key, let other = column.conversion.rule.ofAnyText else { return key }
      return NaturalKeyReading.key(of: base, value.count, ValueConversion(rule: other))
    }
  }

  private static func key(
    of base: UnsafePointer<UInt8>, _ count: Int, _ conversion: ValueConversion
  ) -> Key {
    // A copy: what was inferred from the column's own values must not change.
    var conversion = conversion
    return withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: ColumnConverter.scratchSize
    ) { scratch in
      guard let room = scratch.baseAddress else { return .misfit }
      switch conversion.convert(base, count, into: room) {
      case .null: return .null
      case .integer(let number): return .value(.integer(number))
      case .real(let number): return .value(.real(number))
      case .sameText: return .value(.text(text(base, count)))
      case .scratchText(let count): return .value(.text(text(room, count)))
      case .blob(let bytes): return .value(.blob(bytes))
      case .misfit: return .misfit
      }
    }
  }

  private static func text(_ base: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }
}

extension ValueConversion {
  /// How a text is read of which nothing is known but the type that its column demands; nil when any
  /// text is one.
  init?(_ demand: ColumnDemand) {
    switch demand {
    case .type(.integer): self.init(rule: .integer)
    case .type(.real): self.init(rule: .real)
    case .type(.decimal), .numericAffinity: self.init(rule: .decimal)
    case .type(.boolean): self.init(rule: .boolean)
    case .type(.date): self.init(rule: .date(DateReading()))
    case .type(.datetime): self.init(rule: .dateTime(DateReading()))
    case .type(.text), .type(.blob), .anything: return nil
    }
  }
}

extension ValueConversion.Rule {
  /// How a column of an inferred type reads texts in another form than its own; nil for the others.
  fileprivate var ofAnyText: Self? {
    guard case .inferred(let converter) = self else { return nil }
    switch converter.type {
    case .integer: return .integer
    case .real: return .real
    case .boolean: return .boolean
    case .date: return .date(DateReading())
    case .dateTime: return .dateTime(DateReading(timeZone: converter.statistics.rules.timeZone))
    case .text, .blob: return nil
    }
  }
}
