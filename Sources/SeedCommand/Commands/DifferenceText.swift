import SeedBuilder
import SeedFiles

/// Lays out the difference of two databases for people.
enum DifferenceText {
  /// The most columns of one row that are shown.
  private static let mostColumns = 8
  /// The most of a definition that is shown.
  private static let longestDefinition = 60

  /// The whole difference, without what could not be compared.
  static func text(of difference: DatabaseDifference) -> String {
    var text = difference.settings.map { "~ \($0.name) \($0.old) -> \($0.new)\n" }.joined()
    for change in difference.schema { text += self.text(of: change) }
    for table in difference.tables { text += self.text(of: table) }
    return text
  }

  // MARK: Schema

  private static func text(of change: SchemaChange) -> String {
    var text = "\(mark(of: change.action)) \(change.kind.rawValue) \(escaped(change.name))"
    if let table = change.table { text += " on \(escaped(table))" }
    text += "\n"
    guard change.action == .changed else { return text }
    for column in change.columns { text += "    " + self.text(of: column) + "\n" }
    if change.columns.isEmpty, let old = change.oldSQL, let new = change.newSQL {
      let (before, after) = excerpts(old, new)
      text += "    \(before) -> \(after)\n"
    }
    return text
  }

  private static func mark(of action: SchemaChange.Action) -> String {
    switch action {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    }
  }

  private static func text(of column: SchemaChange.Column) -> String {
    let name = "column \(escaped(column.name))"
    switch (column.old, column.new) {
    case (let old?, let new?): return "~ \(name): \(type(old)) -> \(type(new))"
    case (let old?, nil): return "- \(name)" + (old.isEmpty ? "" : " \(escaped(old))")
    case (nil, let new):
      return "+ \(name)" + (new.map { $0.isEmpty ? "" : " \(escaped($0))" } ?? "")
    }
  }

  private static func type(_ declaration: String) -> String {
    declaration.isEmpty ? "no type" : escaped(declaration)
  }

  /// The parts of two definitions from shortly before their first difference on.
  private static func excerpts(_ old: String, _ new: String) -> (String, String) {
    let (old, new) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
    let common = zip(old, new).prefix { $0 == $1 }.count
    let start = max(0, common - 20)
    return (excerpt(of: old, from: start), excerpt(of: new, from: start))
  }

  private static func excerpt(of scalars: [Unicode.Scalar], from start: Int) -> String {
    let part = scalars[min(start, scalars.count)...].prefix(longestDefinition)
    var text = ""
    text.unicodeScalars.append(contentsOf: part)
    return (start > 0 ? "…" : "") + escaped(text) + (part.endIndex < scalars.count ? "…" : "")
  }

  // MARK: Rows

  private static func text(of table: TableDifference) -> String {
    let counts = [
      (table.addedCount, "added"), (table.removedCount, "removed"),
      (table.changedCount, "changed"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\(Readable.count($0.0)) \($0.1)" }
    var text = "rows of \(escaped(table.name)): \(parts.joined(separator: ", "))\n"
    text += lines(table.added.map { line("+", $0) }, of: table.addedCount, "added")
    text += lines(table.removed.map { line("-", $0) }, of: table.removedCount, "removed")
    text += lines(table.changed.map { line($0) }, of: table.changedCount, "changed")
    return text
  }

  private static func lines(_ lines: [String], of count: Int64, _ what: String) -> String {
    let rest = count - Int64(lines.count)
    return lines.map { "    \($0)\n" }.joined()
      + (rest > 0 ? "    … \(Readable.count(rest)) more \(what)\n" : "")
  }

  private static func line(_ mark: String, _ row: TableDifference.Row) -> String {
    let key = row.key.isEmpty ? "" : fields(row.key)
    let values = row.values.isEmpty ? "" : fields(row.values)
    return "\(mark) \(key)\(key.isEmpty || values.isEmpty ? "" : ": ")\(values)"
  }

  private static func line(_ row: TableDifference.ChangedRow) -> String {
    let changes = row.changes.map {
      "\(escaped($0.column)) \(literal($0.old)) -> \(literal($0.new))"
    }
    return "~ \(fields(row.key)): \(list(changes))"
  }

  private static func fields(_ fields: [TableDifference.Field]) -> String {
    list(fields.map { "\(escaped($0.column)) \(literal($0.value))" })
  }

  private static func list(_ texts: [String]) -> String {
    let rest = texts.count - mostColumns
    let shown = texts.prefix(mostColumns).joined(separator: ", ")
    return rest > 0 ? "\(shown), … \(Readable.count(Int64(rest), "more column"))" : shown
  }

  /// The value as SQL writes it, so that types can be told apart.
  private static func literal(_ value: DiffValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let excerpt):
      cut(
        "'" + escaped(excerpt.content).replacing("'", with: "''") + "'", excerpt.offset,
        excerpt.rest, excerpt.byteCount)
    case .blob(let excerpt):
      cut(
        "x'\(SHA256Digest.hexadecimal(excerpt.content))'", excerpt.offset, excerpt.rest,
        excerpt.byteCount)
    }
  }

  private static func cut(_ text: String, _ offset: Int, _ rest: Int, _ byteCount: Int) -> String {
    guard offset > 0 || rest > 0 else { return text }
    return (offset > 0 ? "…" : "") + text + (rest > 0 ? "…" : "")
      + " (\(Readable.bytes(Int64(byteCount))))"
  }

  private static func escaped(_ text: String) -> String { TerminalText.escaped(text) }
}
