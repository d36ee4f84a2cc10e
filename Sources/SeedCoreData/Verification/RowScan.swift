internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Something that no row of a table may be.
struct RowRule {
  var code: Finding.Code
  /// The condition under which a row `t` is wrong.
  var condition: String
  /// What of a wrong row is shown, as SQL.
  var shown: [String] = []
  /// What is wrong with a row, from what to call it and what is shown of it.
  var message: (_ row: String, _ shown: [String]) -> String
  /// What is wrong with rows, to follow their number and that of their table.
  var summary: String
  var hint: String
  var parentTable: String?
}

/// Looks at the rows of a table once for all rules, and again only for rules that some row breaks.
struct RowScan {
  /// How many rows are listed for one rule; more are only counted.
  static let limit = 5
  /// The most results of one query; SQLite has 2,000 at most.
  private static let mostResults = 500

  let connection: Connection
  let table: String
  /// The columns that tell one row from another.
  let keys: [String]

  /// The values of aggregates over all rows `t`.
  ///
  /// - Throws: ``SQLiteError``.
  func totals(_ aggregates: [String]) throws(SQLiteError) -> [Int64] {
    var totals: [Int64] = []
    for start in stride(from: 0, to: aggregates.count, by: Self.mostResults) {
      let part = aggregates[start..<min(start + Self.mostResults, aggregates.count)]
      let statement = try connection.prepare(
        "SELECT \(part.joined(separator: ", ")) FROM \(SQLiteName.quoted(table)) AS t")
      guard try statement.step() else { continue }
      totals += part.indices.map { statement.integer(Int32($0 - start)) }
    }
    return totals
  }

  /// The aggregate that counts rows.
  static func count(_ condition: String) -> String { "count(*) FILTER (WHERE \(condition))" }

  /// What is wrong with the rows that break a rule: the first ones, and how many more there are.
  ///
  /// - Throws: ``SQLiteError``.
  func findings(_ rule: RowRule, count: Int64) throws(SQLiteError) -> [Finding] {
    guard count > 0 else { return [] }
    var findings: [Finding] = []
    let columns = keys.map { "t.\(SQLiteName.quoted($0))" }
    let statement = try connection.prepare(
      """
      SELECT \((columns + rule.shown).joined(separator: ", "))
      FROM \(SQLiteName.quoted(table)) AS t WHERE \(rule.condition)
      ORDER BY \(columns.joined(separator: ", ")) LIMIT \(Self.limit)
      """)
    while try statement.step() {
      let values = keys.indices.map { Self.text(Int32($0), statement) }
      let shown = rule.shown.indices.map { Self.text(Int32(keys.count + $0), statement) }
      let row = keys.count == 1 ? values[0] : "(\(values.joined(separator: ", ")))"
      var finding = Finding(
        rule.code, rule.message("row \(row) of \"\(table)\"", shown), hint: rule.hint)
      finding.table = table
      finding.rowID = keys.count == 1 ? statement.integer(0) : nil
      finding.parentTable = rule.parentTable
      findings.append(finding)
    }
    let rest = count - Int64(findings.count)
    if rest > 0 {
      var more = Finding(
        rule.code, "\(rest) more rows of \"\(table)\" \(rule.summary)", hint: rule.hint)
      more.table = table
      more.parentTable = rule.parentTable
      findings.append(more)
    }
    return findings
  }

  /// A value to show: its beginning if it is long.
  private static func text(_ index: Int32, _ statement: Statement) -> String {
    switch statement.columnType(index) {
    case .null: "NULL"
    case .integer, .real: statement.text(index)
    case .text: "\"\(statement.text(index).prefix(40))\""
    case .blob: "a BLOB"
    }
  }
}
