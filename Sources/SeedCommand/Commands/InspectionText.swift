import SeedBuilder
import SeedFormat
import SeedStreams

/// Lays out the report on a database for people.
enum InspectionText {
  /// The whole report.
  static func text(of report: DatabaseReport, _ streams: [StreamCursor] = []) -> String {
    var text = TerminalText.escaped(report.path) + "\n"
    text += TextColumns.text(
      of: headerRows(of: report) + StreamPositions.rows(of: streams), indentation: 2)
    for table in report.tables { text += "\n" + block(for: table) }
    if !report.views.isEmpty || !report.triggers.isEmpty { text += "\n" }
    for view in report.views { text += "view \(TerminalText.escaped(view))\n" }
    for trigger in report.triggers {
      text += "trigger \(TerminalText.escaped(trigger.name)) "
      text += "on \(TerminalText.escaped(trigger.table))\n"
    }
    if !report.notes.isEmpty { text += "\n" }
    for note in report.notes { text += "note: \(TerminalText.escaped(note))\n" }
    return text
  }

  /// What is said of the file and its stamp, in two columns.
  static func headerRows(of report: DatabaseReport) -> [[String]] {
    let pages = Readable.count(report.pageCount, "page")
    var rows = [
      ["size", "\(Readable.bytes(report.byteCount)), \(pages) of \(report.pageSize) bytes"],
      ["encoding", report.textEncoding],
      ["user_version", "\(report.userVersion)"],
      ["application_id", "\(report.applicationID)"],
    ]
    if report.freePageCount > 0 {
      rows[0][1] += ", \(Readable.count(report.freePageCount)) of them free"
    }
    if report.isWriteAheadLogging { rows.append(["journal", "WAL mode"]) }
    if let stamp = report.stamp {
      let version = stamp.version.map { " \($0)" } ?? ""
      rows.append(["stamp", "\(stamp.name)\(version), built by \(stamp.tool)"])
      rows.append(["stamped digest", stamp.contentSHA256])
    } else {
      rows.append(["stamp", "none"])
    }
    return rows
  }

  private static func block(for table: TableReport) -> String {
    var title = table.kind == .table ? "table" : "\(table.kind.rawValue) table"
    title += " \(TerminalText.escaped(table.name)): "
    title += table.rowCount.map { Readable.count($0, "row") } ?? "unknown rows"
    if let byteCount = table.byteCount { title += ", \(Readable.bytes(byteCount))" }
    if table.isWithoutRowID { title += ", without rowid" }
    if table.isStrict { title += ", strict" }
    let columns = TextColumns.text(
      of: table.columns.map { row(for: $0, in: table) }, indentation: 2)
    let keys = table.foreignKeys.map { "  foreign key \(text(of: $0))\n" }
    let indexes = table.indexes.map { "  index \(text(of: $0))\n" }
    return title + "\n" + columns + keys.joined() + indexes.joined()
  }

  private static func row(for column: TableReport.Column, in table: TableReport) -> [String] {
    var properties: [String] = []
    if let position = column.primaryKeyPosition {
      let isCompound = table.columns.count { $0.primaryKeyPosition != nil } > 1
      properties.append(isCompound ? "primary key \(position)" : "primary key")
    }
    if column.isNotNull { properties.append("not null") }
    if let value = column.defaultValue { properties.append("default \(value)") }
    if column.isGenerated { properties.append("generated") }
    return [column.name, column.declaredType, properties.joined(separator: ", ")]
  }

  private static func text(of key: TableReport.ForeignKey) -> String {
    var text = "(\(list(key.columns))) -> \(TerminalText.escaped(key.parentTable))"
    if !key.parentColumns.isEmpty { text += "(\(list(key.parentColumns)))" }
    if key.onDelete != "NO ACTION" { text += ", on delete \(key.onDelete.lowercased())" }
    if key.onUpdate != "NO ACTION" { text += ", on update \(key.onUpdate.lowercased())" }
    return text
  }

  private static func text(of index: TableReport.Index) -> String {
    let columns = list(index.columns.map { $0 ?? "<expression>" })
    var text = "\(TerminalText.escaped(index.name)) (\(columns))"
    if index.isUnique { text += ", unique" }
    if index.isPartial { text += ", partial" }
    if let byteCount = index.byteCount { text += ", \(Readable.bytes(byteCount))" }
    return text
  }

  private static func list(_ names: [String]) -> String {
    names.map { TerminalText.escaped($0) }.joined(separator: ", ")
  }
}
