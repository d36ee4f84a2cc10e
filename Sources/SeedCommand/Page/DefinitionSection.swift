import SeedBuilder

/// The views or the triggers with the SQL that defines them.
struct DefinitionSection {
  private let kind: SchemaDefinition.Kind
  private let definitions: [SchemaDefinition]

  init(_ kind: SchemaDefinition.Kind, in definitions: [SchemaDefinition]) {
    self.kind = kind
    self.definitions = definitions.filter { $0.kind == kind }
  }

  var markup: HTML {
    guard !definitions.isEmpty else { return "" }
    let items = definitions.map { definition in
      let on: HTML =
        kind == .trigger ? " <span class=\"soft\">on <code>\(definition.table)</code></span>" : ""
      return """
        <div class="definition">
        <h3><code>\(definition.name)</code>\(on)</h3>
        <pre>\(Self.text(of: definition))</pre>
        </div>

        """ as HTML
    }
    return """
      <section>
      <h2>\(kind == .view ? "Views" : "Triggers")</h2>
      \(items.joined())</section>

      """
  }

  private static func text(of definition: SchemaDefinition) -> HTML {
    HTML(lines: definition.sql) + (definition.isCut ? "\n…" : "")
  }
}
