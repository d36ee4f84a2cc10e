internal import SeedModel
internal import SeedSQLite

/// Chooses how the values of a column are read, after a look at them where that is needed.
struct ConversionChoice {
  let staged: StagedInput
  let valueRules: ValueRules
  let places: [Int]
  /// The staged table, by number.
  let table: Int
  /// The texts of a rule, which are read like the values and tell nothing about how those are: they
  /// are looked at only where no value tells anything.
  var ruleTexts: [String] = []

  /// Chooses the conversion to what a column demands.
  ///
  /// - Throws: ``SQLiteError``.
  func choose(
    _ demand: ColumnDemand, format: Located<String>?, for column: inout MappedTable.Column,
    _ report: inout MisfitReport
  ) throws {
    column.conversion = ValueConversion(rule: .text, keepsEmptyText: demand.keepsEmptyText)
    if let format, format.value == DecimalComma.name {
      return chooseDecimalComma(demand, at: format.location, for: &column, &report)
    }
    switch demand {
    case .anything, .type(.text): return
    case .numericAffinity: column.conversion.rule = .numericAffinity
    case .type(.integer): column.conversion.rule = .integer
    case .type(.real): column.conversion.rule = .real
    case .type(.decimal): column.conversion.rule = .decimal
    case .type(.boolean): column.conversion.rule = .boolean
    case .type(.blob) where staged.declaredValues(of: column.fields).contains(.data):
      // Empty data is data, and so is an empty text among it.
      column.conversion = ValueConversion(
        rule: .blob(isHexadecimal: false), keepsEmptyText: true)
    case .type(.blob):
      guard !reportBareValues(of: column, &report) else { return }
      column.conversion.rule = .blob(isHexadecimal: try isHexadecimal(column, format, &report))
    case .type(.date): column.conversion.rule = .date(try reading(column, format, &report))
    case .type(.datetime): column.conversion.rule = .dateTime(try reading(column, format, &report))
    }
  }

  private func chooseDecimalComma(
    _ demand: ColumnDemand, at location: SourceLocation?, for column: inout MappedTable.Column,
    _ report: inout MisfitReport
  ) {
    column.conversion = ValueConversion(rule: .text, hasDecimalComma: true)
    switch demand {
    case .type(.integer): column.conversion.rule = .integer
    case .type(.real): column.conversion.rule = .real
    case .type(.decimal), .numericAffinity: column.conversion.rule = .decimal
    case .anything, .type:
      column.conversion.hasDecimalComma = false
      report.add(
        "the format of \(column.what) is one of numbers, and its column takes none", at: location,
        hint: "declare the column as REAL, or leave the format out")
    }
  }

  /// Numbers and booleans may look like base64, but only a string can be that.
  ///
  /// - Returns: Whether there are any.
  private func reportBareValues(
    of column: MappedTable.Column, _ report: inout MisfitReport
  ) -> Bool {
    var hasAny = false
    for number in column.fields {
      let field = staged.facts.fields[number]
      let isOfOtherRecords =
        !places.contains(field.place) && staged.tables[table].places.contains(field.place)
      guard !isOfOtherRecords, let bare = field.bareValue else { continue }
      hasAny = true
      let place = PlaceFinder(staged: staged).place(
        of: ValueSpot(
          line: bare.line, place: field.place, fields: [number], value: Array(bare.text.utf8)))
      report.add(
        "\(bare.text) is no string, and only a string can be binary data, in \(column.what)",
        at: place.location, excerpt: place.excerpt,
        hint: "write the data in base64 or in hexadecimal digits, or declare another type")
    }
    return hasAny
  }

  private func isHexadecimal(
    _ column: MappedTable.Column, _ format: Located<String>?, _ report: inout MisfitReport
  ) throws -> Bool {
    switch format?.value {
    case "hex": return true
    case "base64": return false
    case let other?:
      report.add(
        "\"\(other)\" is no format of binary data", at: format?.location,
        hint: "write \"base64\" or \"hex\"")
      return false
    case nil: break
    }
    // What may be either is read as digits only when every value may.
    var isHexadecimal = true
    var reading = BinaryAmbiguity()
    var hasValues = false
    func look(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      hasValues = true
      reading.observe(bytes)
      if BinaryText.hexadecimal(bytes) == nil { isHexadecimal = false }
      return isHexadecimal
    }
    try forEachValue(column, look)
    if !hasValues { forEachRuleText(column, look) }
    if isHexadecimal, reading.isAmbiguous {
      report.remark(
        Diagnostic(
          .warning, BinaryAmbiguity.message(about: column.what), at: location,
          hint: BinaryAmbiguity.hint))
    }
    return isHexadecimal
  }

  private func reading(
    _ column: MappedTable.Column, _ format: Located<String>?, _ report: inout MisfitReport
  ) throws -> DateReading {
    if let format {
      do {
        return DateReading(
          pattern: try DatePattern(format.value), timeZone: valueRules.timeZone)
      } catch {
        report.add("\(error)", at: format.location, hint: error.hint)
        return DateReading()
      }
    }
    if let pattern = valueRules.datePattern {
      // The pattern of all sources does not forbid ISO 8601, which means nothing else.
      var reading = DateReading(pattern: pattern, timeZone: valueRules.timeZone)
      reading.allowsISO = true
      return reading
    }
    var reading = DateReading(timeZone: valueRules.timeZone)
    func look(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      if let base = bytes.baseAddress { reading.observe(base, bytes.count) }
      return true
    }
    try forEachValue(column, look)
    if !reading.hasForeignForm { forEachRuleText(column, look) }
    if let ambiguity = reading.ambiguity {
      report.add(
        "the dates in \(column.what) can be read in two ways", at: location,
        hint: "say which with --date-format \(ambiguity.dayFirst.pattern)"
          + " or --date-format \(ambiguity.monthFirst.pattern)")
    }
    return reading
  }

  private var location: SourceLocation? {
    places.first.map { SourceLocation(file: staged.documents[staged.document(of: $0)].name) }
  }

  /// Gives each value of a column to a closure until that says false.
  private func forEachValue(
    _ column: MappedTable.Column, _ body: (UnsafeBufferPointer<UInt8>) throws -> Bool
  ) throws {
    guard case .staged(let sql) = column.source else { return }
    let list = places.map(String.init).joined(separator: ",")
    let statement = try staged.connection.prepare(
      """
      SELECT \(sql) FROM \(staged.tables[table].sqlName) AS t
      WHERE t.\(StagedInput.placeColumn) IN (\(list)) ORDER BY t.\(StagedInput.ordinalColumn)
      """)
    while try statement.step() {
      guard statement.columnType(0) != .null else { continue }
      if try !statement.withTextBytes(0, { try look($0, column, body) }) { return }
    }
  }

  private func forEachRuleText(
    _ column: MappedTable.Column, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    for text in ruleTexts {
      if !Array(text.utf8).withUnsafeBufferPointer({ look($0, column, body) }) { return }
    }
  }

  private func look(
    _ bytes: UnsafeBufferPointer<UInt8>, _ column: MappedTable.Column,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Bool
  ) rethrows -> Bool {
    let value = column.isTrimmed ? bytes.trimmed : bytes
    if column.nullTexts.contains(Array(value)) { return true }
    return value.isEmpty ? true : try body(value)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The same bytes without blanks at either end.
  package var trimmed: UnsafeBufferPointer<UInt8> {
    var start = startIndex
    var end = endIndex
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    while start < end, isBlank(self[start]) { start += 1 }
    while end > start, isBlank(self[end - 1]) { end -= 1 }
    return UnsafeBufferPointer(rebasing: self[start..<end])
  }
}
