import SeedBuilder
import SeedCoreData
import SeedStreams

/// Lays out the report on a Core Data store for people: by entities, not by tables.
enum StoreText {
  /// The whole report.
  static func text(
    of report: DatabaseReport, _ store: StoreReport, _ streams: [StreamCursor] = []
  ) -> String {
    var text = TerminalText.escaped(report.path) + "\n"
    text += TextColumns.text(
      of: InspectionText.headerRows(of: report) + rows(of: store)
        + StreamPositions.rows(of: streams), indentation: 2)
    for entity in store.entities {
      text += "\n" + block(for: entity, isModelKnown: store.isModelKnown)
    }
    text += others(in: report, store)
    let notes = report.notes + store.notes + (store.isModelKnown ? [] : [advice])
    text += "\n"
    for note in notes { text += "note: \(TerminalText.escaped(note))\n" }
    return notes.isEmpty ? String(text.dropLast()) : text
  }

  private static let advice =
    "names in capitals are those of columns; --model shows the names, types and relationships"

  private static func rows(of store: StoreReport) -> [[String]] {
    let identifiers = store.modelIdentifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    return [
      ["store", "Core Data" + (store.frameworkVersion.map { " \($0)" } ?? "")],
      ["uuid", store.uuid ?? "none"],
      ["model", identifiers.isEmpty ? "no identifier" : identifiers],
      ["checksum", store.checksum ?? "none"],
    ]
  }

  // MARK: Entities

  private static func block(for entity: StoreReport.Entity, isModelKnown: Bool) -> String {
    var title = "entity \(TerminalText.escaped(entity.name)): "
    title += entity.rowCount.map { Readable.count($0, "object") } ?? "unknown objects"
    if entity.isAbstract == true { title += ", abstract" }
    if let parent = entity.parent { title += ", a kind of \(TerminalText.escaped(parent))" }
    if !isModelKnown, entity.hasChildren, entity.parent == nil {
      title += ", with all that its kinds have"
    }
    let rows =
      entity.attributes.map { [$0.name, text(of: $0)] }
      + entity.relationships.map { [$0.name, text(of: $0)] }
    return title + "\n" + TextColumns.text(of: rows, indentation: 2)
  }

  private static func text(of attribute: StoreReport.Attribute) -> String {
    var text = types(of: attribute).joined(separator: " or ")
    if attribute.isOptional == true { text += "?" }
    if let derivation = attribute.derivation { text += " = \(derivation)" }
    if attribute.column == nil { text += ", not stored" }
    return text
  }

  /// The types; integers of several sizes are one for people.
  private static func types(of attribute: StoreReport.Attribute) -> [String] {
    let others = attribute.types.filter { !$0.hasPrefix("Integer ") }
    return attribute.types.count - others.count > 1 ? ["Integer"] + others : attribute.types
  }

  private static func text(of relationship: StoreReport.Relationship) -> String {
    var text = relationship.isToMany ? "to many " : "to one "
    text += relationship.destination ?? "object of an entity that only the model knows"
    if relationship.isOptional == true { text += "?" }
    if relationship.isOrdered { text += ", ordered" }
    if let inverse = relationship.inverse { text += ", inverse \(inverse)" }
    return text
  }

  // MARK: What is not the model's

  private static func others(in report: DatabaseReport, _ store: StoreReport) -> String {
    let counts = Dictionary(
      report.tables.map { ($0.name, $0.rowCount) }, uniquingKeysWith: { first, _ in first })
    var lines: [String] = []
    if let changes = counts["ACHANGE"] ?? nil, changes > 0 {
      lines.append("history: \(Readable.count(changes, "change"))")
    }
    for table in store.otherTables where !table.isCoreData {
      let rows = (counts[table.name] ?? nil).map { Readable.count($0, "row") } ?? "unknown rows"
      lines.append("table \(TerminalText.escaped(table.name)): \(rows), not Core Data's")
    }
    return lines.isEmpty ? "" : "\n" + lines.joined(separator: "\n") + "\n"
  }
}
