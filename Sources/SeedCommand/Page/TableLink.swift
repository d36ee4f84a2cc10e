import SeedBuilder

/// Names of tables that lead to their sections.
enum TableLink {
  /// The name of a table as a link.
  static func markup(_ index: Int, _ references: ReferenceMap) -> HTML {
    markup(index, name: references.tables[index].name)
  }

  static func markup(_ index: Int, name: String) -> HTML {
    "<a href=\"#table-\(index)\">\(NameMarkup.code(name))</a>"
  }

  /// What a foreign key refers to, from the columns that do: `order_id → order (id)`.
  static func keyTarget(_ key: ReferenceMap.Key) -> HTML {
    "\(NameMarkup.code(list(key.key.columns))) \(arrow(key))"
  }

  /// `→ order (id), on delete cascade`.
  static func arrow(_ key: ReferenceMap.Key) -> HTML {
    var markup: HTML = "→ "
    if let parent = key.parent {
      markup += Self.markup(parent, name: key.key.parentTable)
    } else {
      markup += NameMarkup.code(key.key.parentTable)
    }
    if !key.key.parentColumns.isEmpty {
      markup += " (\(NameMarkup.code(list(key.key.parentColumns))))"
    }
    if key.parent == nil { markup += ", which does not exist" }
    if key.key.onDelete != "NO ACTION" { markup += ", on delete \(key.key.onDelete.lowercased())" }
    if key.key.onUpdate != "NO ACTION" { markup += ", on update \(key.key.onUpdate.lowercased())" }
    return markup
  }

  static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
