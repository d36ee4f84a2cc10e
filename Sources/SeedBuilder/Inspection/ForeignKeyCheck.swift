import SeedModel
import SeedSQLite

/// Looks for rows that refer to rows which are not there.
struct ForeignKeyCheck {
  /// How many rows are listed for one table; more are only counted.
  private static let limit = 100

  private let connection: Connection

  init(connection: Connection) {
    self.connection = connection
  }

  /// What is wrong with the references, table by table.
  ///
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  func findings() throws(SQLiteError) -> [Finding] {
    let statement = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    var findings: [Finding] = []
    while try statement.step() { findings += try self.findings(inTable: statement.text(0)) }
    return findings
  }

  private func findings(inTable table: String) throws(SQLiteError) -> [Finding] {
    let keys = try columnsByKey(of: table)
    guard !keys.isEmpty else { return [] }
    var findings: [Finding] = []
    var count = 0
    do throws(SQLiteError) {
      let statement = try connection.prepare(
        "SELECT \"rowid\", parent, fkid FROM pragma_foreign_key_check(?)")
      try statement.bindText(1, table)
      while try statement.step() {
        count += 1
        guard count <= Self.limit else { continue }
        findings.append(
          finding(
            table: table, rowID: statement.columnType(0) == .null ? nil : statement.integer(0),
            parent: statement.text(1), columns: keys[statement.integer(2)] ?? []))
      }
    } catch {
      guard !error.isCorrupt, !error.isInputOutput else { throw error }
      if let part = error.missingPart {
        var finding = Finding(
          .missingPart, .warning,
          "the foreign keys of \"\(table)\" cannot be checked without \(part.name), which this "
            + "SQLite lacks",
          hint: IntegrityCheck.advice)
        finding.table = table
        return [finding]
      }
      var finding = Finding(
        .foreignKeyDefinition,
        "the foreign keys of \"\(table)\" cannot be checked: \(error.message)",
        hint: "make each key refer to the primary key or to unique columns of an existing table")
      finding.table = table
      return [finding]
    }
    if count > Self.limit {
      var more = Finding(
        .foreignKey, "\(count - Self.limit) more rows of \"\(table)\" refer to missing rows",
        hint: Self.advice)
      more.table = table
      findings.append(more)
    }
    return findings
  }

  private static let advice = "add the missing rows or correct the references"

  private func finding(
    table: String, rowID: Int64?, parent: String, columns: [String]
  ) -> Finding {
    let row = rowID.map { "row \($0)" } ?? "a row"
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    var finding = Finding(
      .foreignKey, "\(row) of \"\(table)\" refers to a missing row of \"\(parent)\" by \(names)",
      hint: Self.advice)
    finding.table = table
    finding.rowID = rowID
    finding.parentTable = parent
    return finding
  }

  private func columnsByKey(of table: String) throws(SQLiteError) -> [Int64: [String]] {
    let statement = try connection.prepare(
      "SELECT id, \"from\" FROM pragma_foreign_key_list(?) ORDER BY id, seq")
    try statement.bindText(1, table)
    var columns: [Int64: [String]] = [:]
    while try statement.step() {
      columns[statement.integer(0), default: []].append(statement.text(1))
    }
    return columns
  }
}
