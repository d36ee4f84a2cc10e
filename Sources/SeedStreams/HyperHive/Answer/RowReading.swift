internal import SeedSQLite

/// Reads lists of rows and of ids into batches.
internal struct RowReading {
  /// The table as messages call it.
  internal let table: String
  internal let columns: [HyperHiveColumn]
  /// The columns that must have a value.
  internal let required: Set<Int>
  private let kinds: [HyperHiveColumn.Kind]

  internal init(table: String, columns: [HyperHiveColumn], required: Set<Int>) {
    self.table = table
    self.columns = columns
    self.required = required
    kinds = columns.map(\.kind)
  }

  /// Reads an array of rows, each an array with a value for every column.
  ///
  /// - Returns: The number of the rows.
  /// - Throws: ``HyperHiveError`` with table, row, column and byte, and what writing throws.
  internal func rows(_ scanner: inout JSONScanner, into batch: RowBatch) throws -> Int64 {
    scanner.onMove = { try batch.flush() }
    defer { scanner.onMove = {} }
    var number: Int64 = 0
    var column = 0
    do {
      guard
        try scanner.opensList(UInt8(ascii: "["), UInt8(ascii: "]"), "the rows")
      else { return 0 }
      repeat {
        number += 1
        column = -1
        try readRow(&scanner, batch, &column)
        try batch.append(from: scanner.window.base + scanner.mark)
        scanner.mark = -1
      } while try scanner.takesNext(before: UInt8(ascii: "]"))
      try batch.flush()
      return number
    } catch let error as JSONProblem {
      throw located(error, row: number, column: column)
    } catch let error as Misfit {
      throw located(error, row: number)
    }
  }

  /// A row that cannot be taken although its JSON is sound.
  private struct Misfit: Error {
    var message: String
    var offset: Int64
  }

  @inline(__always)
  private func readRow(
    _ scanner: inout JSONScanner, _ batch: RowBatch, _ column: inout Int
  ) throws {
    _ = try scanner.peek()
    scanner.mark = scanner.position
    let offset = scanner.offset
    try scanner.take(UInt8(ascii: "["), "a row")
    var count = 0
    if try scanner.peek() == UInt8(ascii: "]") {
      scanner.position += 1
    } else {
      repeat {
        guard count < kinds.count else {
          throw Misfit(message: "more than \(kinds.count) values in the row", offset: offset)
        }
        column = count
        let value = batch.row + count
        try Self.value(&scanner, kinds[count], into: value)
        if value.pointee.kind == .null, required.contains(count) {
          throw JSONProblem(
            .mismatch(found: "null", expected: "the id of a row"), at: scanner.offset)
        }
        count += 1
      } while try scanner.takesNext(before: UInt8(ascii: "]"))
    }
    guard count == kinds.count else {
      throw Misfit(
        message: "\(count) values in the row where the table has \(kinds.count) columns",
        offset: offset)
    }
  }

  /// Reads an array of ids: values of the one column, or arrays with a value for each.
  ///
  /// - Returns: The number of the ids.
  /// - Throws: As ``rows(_:into:)`` does, and what the batch's writing throws.
  internal func ids(_ scanner: inout JSONScanner, into batch: RowBatch) throws -> Int64 {
    guard columns.count == 1 else { return try rows(&scanner, into: batch) }
    scanner.onMove = { try batch.flush() }
    defer { scanner.onMove = {} }
    var number: Int64 = 0
    do {
      guard
        try scanner.opensList(UInt8(ascii: "["), UInt8(ascii: "]"), "the ids")
      else { return 0 }
      repeat {
        number += 1
        _ = try scanner.peek()
        scanner.mark = scanner.position
        try Self.value(&scanner, kinds[0], into: batch.row)
        if batch.row.pointee.kind == .null {
          throw scanner.problem(.mismatch(found: "null", expected: "the id of a row"))
        }
        try batch.append(from: scanner.window.base + scanner.mark)
        scanner.mark = -1
      } while try scanner.takesNext(before: UInt8(ascii: "]"))
      try batch.flush()
      return number
    } catch let error as JSONProblem {
      throw located(error, row: number, column: 0)
    }
  }

  // MARK: Values

  /// Reads one value; a text is counted from the mark.
  @inline(__always)
  private static func value(
    _ scanner: inout JSONScanner, _ kind: HyperHiveColumn.Kind,
    into value: UnsafeMutablePointer<BoundValue>
  ) throws {
    let byte = try scanner.peek()
    switch byte {
    case UInt8(ascii: "\""):
      guard kind == .text || kind == .anyText else { throw mismatch(scanner, byte, kind) }
      let (start, count) = try scanner.string()
      value.pointee = BoundValue(
        kind: .text, count: Int32(truncatingIfNeeded: count), bits: UInt64(start))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try number(&scanner, kind, byte, into: value)
    case UInt8(ascii: "n"):
      _ = try scanner.word()
      value.pointee = .null
    default:
      try otherValue(&scanner, kind, byte, into: value)
    }
  }

  @inline(__always)
  private static func number(
    _ scanner: inout JSONScanner, _ kind: HyperHiveColumn.Kind, _ byte: UInt8,
    into value: UnsafeMutablePointer<BoundValue>
  ) throws {
    let place = scanner.offset
    if kind == .text { throw mismatch(scanner, byte, kind) }
    let number = try scanner.number()
    switch kind {
    case .integer:
      if let integer = number.integer {
        value.pointee = .integer(integer)
        return
      }
      guard !number.isWhole else { throw JSONProblem(.hugeNumber, at: place) }
      // 3.0 is the integer 3, however a server writes it.
      guard let integer = Int64(exactly: try scanner.real(number)) else {
        throw JSONProblem(
          .mismatch(found: "a number with a fraction", expected: "an integer"), at: place)
      }
      value.pointee = .integer(integer)
    case .real: value.pointee = .real(try scanner.real(number))
    case .text, .anyText:
      value.pointee = BoundValue(
        kind: .text, count: Int32(truncatingIfNeeded: number.count), bits: UInt64(number.start))
    }
  }

  /// Truth values, arrays and objects, which only a column of an unknown type takes: as JSON.
  private static func otherValue(
    _ scanner: inout JSONScanner, _ kind: HyperHiveColumn.Kind, _ byte: UInt8,
    into value: UnsafeMutablePointer<BoundValue>
  ) throws {
    guard [UInt8](arrayLiteral: 0x74, 0x66, 0x5B, 0x7B).contains(byte) else {
      throw scanner.problem(.unexpected(found: scanner.name(of: byte), expected: "a value"))
    }
    guard kind == .anyText else { throw mismatch(scanner, byte, kind) }
    let start = scanner.position - scanner.mark
    scanner.keepsEscapes = true
    defer { scanner.keepsEscapes = false }
    try scanner.skipValue()
    value.pointee = BoundValue(
      kind: .text, count: Int32(truncatingIfNeeded: scanner.position - scanner.mark - start),
      bits: UInt64(start))
  }

  private static func mismatch(
    _ scanner: JSONScanner, _ byte: UInt8, _ kind: HyperHiveColumn.Kind
  ) -> JSONProblem {
    let expected =
      switch kind {
      case .integer: "an integer"
      case .real: "a number"
      case .text, .anyText: "a text"
      }
    return scanner.problem(.mismatch(found: scanner.name(of: byte), expected: expected))
  }

  // MARK: Places

  private func located(_ problem: JSONProblem, row: Int64, column: Int) -> any Error {
    // A document that ends early is a matter of the transfer, which has to know it.
    if problem.reason == .endsEarly { return problem }
    var place = "table \"\(table)\", row \(row)"
    if columns.indices.contains(column) { place += ", column \"\(columns[column].name)\"" }
    return HyperHiveError(
      .malformedAnswer("\(problem.message) (byte \(problem.offset))"), place: place)
  }

  private func located(_ misfit: Misfit, row: Int64) -> HyperHiveError {
    HyperHiveError(
      .malformedAnswer("\(misfit.message) (byte \(misfit.offset))"),
      place: "table \"\(table)\", row \(row)")
  }
}
