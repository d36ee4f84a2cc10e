import SeedModel
import SeedSQLite

/// Has SQLite check the structure of a database, as much of it as this SQLite can.
///
/// Tables, indexes and rules may use functions and collations that an app adds, or that another
/// version of SQLite has. That is no damage, but what uses them cannot be checked here.
struct IntegrityCheck {
  /// What to do about something that is missing here.
  static let advice =
    "check the database in the program that adds it, by PRAGMA integrity_check; what is not built into "
    + "SQLite has to be added by each app that opens the database"

  private let connection: Connection

  init(connection: Connection) {
    self.connection = connection
  }

  /// All that SQLite's own check says, which stops after a hundred problems, and what it could not
  /// check.
  ///
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  func findings() throws(SQLiteError) -> [Finding] {
    do throws(SQLiteError) {
      return try findings(of: "PRAGMA integrity_check") + unmadeRows()
    } catch {
      guard error.missingPart != nil else { throw error }
    }
    var findings: [Finding] = []
    for table in try tables() {
      do throws(SQLiteError) {
        findings += try self.findings(
          of: "PRAGMA integrity_check(\(SQLiteName.quoted(table)))")
      } catch {
        guard let part = error.missingPart else { throw error }
        findings.append(Self.unchecked(table, part))
      }
    }
    return findings
  }

  private static func unchecked(_ table: String, _ part: MissingPart) -> Finding {
    var finding = Finding(
      .missingPart, .warning,
      "table \"\(table)\" uses \(part.name), which this SQLite lacks: its structure and its indexes "
        + "are not checked",
      hint: advice)
    finding.table = table
    return finding
  }

  /// The tables into which this SQLite could put no row: their rules use something that it lacks.
  ///
  /// The integrity check passes such a CHECK over. Nothing is run, only understood, and without
  /// the triggers, which may well call functions of the program that they are for.
  private func unmadeRows() throws(SQLiteError) -> [Finding] {
    try connection.setTriggers(false)
    let findings = Result { () throws(SQLiteError) in try tablesWithoutParts() }
    try connection.setTriggers(true)
    return try findings.get()
  }

  private func tablesWithoutParts() throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in try tables() where !table.lowercased().hasPrefix("sqlite_") {
      do throws(SQLiteError) {
        _ = try connection.prepare("INSERT INTO main.\(SQLiteName.quoted(table)) DEFAULT VALUES")
      } catch {
        // Whatever else is wrong with it, such as a trigger for what is gone, is no damage.
        guard let part = error.missingPart else { continue }
        var finding = Finding(
          .missingPart, .warning,
          "table \"\(table)\" uses \(part.name), which this SQLite lacks: whether its rows are as its "
            + "rules say is not checked",
          hint: Self.advice)
        finding.table = table
        findings.append(finding)
      }
    }
    return findings
  }

  private func tables() throws(SQLiteError) -> [String] {
    let statement = try connection.prepare(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name
      """)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }

  private func findings(of sql: String) throws(SQLiteError) -> [Finding] {
    let statement = try connection.prepare(sql)
    var findings: [Finding] = []
    while try statement.step() {
      for line in statement.text(0).split(separator: "\n") {
        guard line != "ok", !line.hasPrefix("*** in database") else { continue }
        findings.append(Finding(.integrity, String(line), hint: Verification.rebuild))
      }
    }
    return findings
  }
}
