/// Finds the columns of a table that the schema does not describe from all of its rows.
internal enum HyperHiveColumnSurvey {
  /// Reads an array of rows.
  ///
  /// - Returns: The columns: integers where only integers stand, numbers where only numbers do, else
  ///   texts. None when there is no row.
  /// - Throws: ``JSONProblem``, or ``HyperHiveError`` for rows of different lengths.
  internal static func columns(
    _ scanner: inout JSONScanner, table: String
  ) throws -> [HyperHiveColumn] {
    var types: [String?] = []
    var rowCount = 0
    guard try scanner.opensList(UInt8(ascii: "["), UInt8(ascii: "]"), "the rows") else {
      return []
    }
    repeat {
      rowCount += 1
      var column = 0
      if try scanner.opensList(UInt8(ascii: "["), UInt8(ascii: "]"), "a row") {
        repeat {
          if rowCount == 1 { types.append(nil) }
          guard column < types.count else {
            throw differs(table, rowCount, scanner.offset)
          }
          types[column] = joined(types[column], try type(&scanner))
          column += 1
        } while try scanner.takesNext(before: UInt8(ascii: "]"))
      }
      guard column == types.count, column > 0 else {
        throw differs(table, rowCount, scanner.offset)
      }
    } while try scanner.takesNext(before: UInt8(ascii: "]"))
    return types.enumerated().map { index, type in
      HyperHiveColumn(
        name: HyperHiveRules.undeclaredColumnName(index), type: type ?? "ANY", isKey: false)
    }
  }

  private static func differs(_ table: String, _ row: Int, _ offset: Int64) -> HyperHiveError {
    HyperHiveError(
      .malformedAnswer("the row has another number of values than the first one (byte \(offset))"),
      place: "table \"\(table)\", row \(row)")
  }

  /// The type that two values have in common; `ANY`, which the schema does not know, is text of
  /// whatever comes.
  private static func joined(_ first: String?, _ second: String?) -> String? {
    guard let first else { return second }
    guard let second, second != first else { return first }
    return Set([first, second]) == ["BIGINT", "DOUBLE"] ? "DOUBLE" : "ANY"
  }

  private static func type(_ scanner: inout JSONScanner) throws -> String? {
    scanner.mark = -1
    switch try scanner.peek() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      scanner.mark = scanner.position
      defer { scanner.mark = -1 }
      let number = try scanner.number()
      return number.integer != nil ? "BIGINT" : number.isWhole ? "ANY" : "DOUBLE"
    case UInt8(ascii: "n"):
      try scanner.skipValue()
      return nil
    default:
      try scanner.skipValue()
      return "ANY"
    }
  }
}
