import SeedBuilder

/// The top of a page: the database's name and its figures.
struct PageHeader {
  private let report: DatabaseReport
  private let name: String
  private let kind: String

  init(_ report: DatabaseReport, name: String, kind: String) {
    self.report = report
    self.name = name
    self.kind = kind
  }

  var markup: HTML {
    let tables = report.tables.filter { $0.kind == .table || $0.kind == .virtual }
    let rows = tables.reduce(Int64(0)) { $0 + ($1.rowCount ?? 0) }
    let isRowCountKnown = tables.allSatisfy { $0.rowCount != nil }
    let indexCount = tables.reduce(0) { $0 + $1.indexes.count }
    var figures = [
      ("Size", Readable.bytes(report.byteCount)),
      ("Tables", Readable.count(Int64(tables.count))),
      ("Rows", (isRowCountKnown ? "" : "at least ") + Readable.count(rows)),
      ("Indexes", Readable.count(Int64(indexCount))),
    ]
    if !report.views.isEmpty {
      figures.append(("Views", Readable.count(Int64(report.views.count))))
    }
    if !report.triggers.isEmpty {
      figures.append(("Triggers", Readable.count(Int64(report.triggers.count))))
    }
    return """
      <header>
      <p class="kind">\(kind)</p>
      <h1>\(name)</h1>
      <dl class="figures">
      \(figures.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>\n" as HTML }.joined())</dl>
      \(notes)</header>

      """
  }

  private var notes: HTML {
    guard !report.notes.isEmpty else { return "" }
    return """
      <ul class="notes">
      \(report.notes.map { "<li>\($0)</li>\n" as HTML }.joined())</ul>

      """
  }
}
