import SeedBuilder
import SeedModel

/// The picture of the tables and their references, or a list where a picture would be a tangle.
struct DiagramSection {
  /// The most tables, and the most references between them, that are drawn.
  static let limits = (tables: 60, references: 240)

  private let references: ReferenceMap

  init(_ references: ReferenceMap) {
    self.references = references
  }

  var markup: HTML {
    let shown = references.tables.indices.filter { references.isShownInDiagram($0) }
    guard !shown.isEmpty else { return "" }
    let referenceCount = shown.reduce(0) { $0 + references.outgoing[$1].count }
    let isDrawn =
      shown.count <= Self.limits.tables && referenceCount <= Self.limits.references
    return """
      <section>
      <h2>Diagram</h2>
      \(isDrawn ? picture : list(of: shown, referenceCount: referenceCount))</section>

      """
  }

  private var picture: HTML {
    let graph = DiagramGraph(references)
    let tables = Readable.count(Int64(graph.tables.count), "table")
    let keys = Readable.count(Int64(graph.references.count), "reference")
    let legend: HTML = """
      PK: part of the primary key. FK: part of a foreign key. An arrow leads from a foreign key to \
      what it refers to.
      """
    let isParted = DiagramLayout(graph).parting != nil
    let apart: HTML = isParted ? " Below the line stand tables without references." : ""
    let caption = graph.references.isEmpty ? "No table refers to another." : legend + apart
    return """
      <figure>
      <div class="diagram">
      <div class="scroll wide" tabindex="0" role="region" aria-label="Diagram of the tables">
      \(DiagramSVG.markup(of: graph, label: "\(tables), \(keys)"))</div>
      </div>
      <figcaption>\(caption)</figcaption>
      </figure>

      """
  }

  private func list(of shown: [Int], referenceCount: Int) -> HTML {
    let tables = Readable.count(Int64(shown.count), "table")
    let keys = Readable.count(Int64(referenceCount), "reference")
    let referring = shown.filter { !references.outgoing[$0].isEmpty }
    let rows = referring.map { index in
      let keys = references.outgoing[index].map { TableLink.keyTarget($0) }
      return """
        <tr><th scope="row">\(TableLink.markup(index, references))</th>\
        <td>\(keys.joined(separator: "<br>"))</td></tr>

        """ as HTML
    }
    guard !rows.isEmpty else {
      return "<p>\(tables) are too many for a diagram; none refers to another.</p>\n"
    }
    let note: HTML =
      "<p>\(tables) with \(keys) are too many for a diagram; here is what refers to what.</p>\n"
    return """
      \(note)<div class="scroll rows" tabindex="0" role="region" aria-label="References">
      <table class="list">
      <thead><tr><th scope="col">Table</th><th scope="col">Refers to</th></tr></thead>
      <tbody>
      \(rows.joined())</tbody>
      </table>
      </div>

      """
  }
}
