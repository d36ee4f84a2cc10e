import SeedBuilder
import SeedModel

/// Everything about one table: columns, indexes, what refers to it, its first rows.
struct TableSection {
  private let index: Int
  private let table: TableReport
  private let references: ReferenceMap
  private let sample: TableSample

  init(index: Int, references: ReferenceMap, sample: TableSample) {
    self.index = index
    self.references = references
    self.sample = sample
    table = references.tables[index]
  }

  var markup: HTML {
    let aside = [indexList, incomingList].filter { !$0.text.isEmpty }.joined()
    let parts: HTML =
      aside.text.isEmpty
      ? "<div class=\"parts\">\(columnTable)</div>\n"
      : "<div class=\"parts two\">\(columnTable)<aside>\(aside)</aside></div>\n"
    return """
      <section class="table" id="table-\(index)">
      <h3><code>\(table.name)</code></h3>
      <p class="meta">\(facts.joined(separator: " · "))</p>
      \(parts)\(SampleTable(sample, of: table).markup)</section>

      """
  }

  private var facts: [String] {
    var facts: [String] = []
    switch table.kind {
    case .table: break
    case .virtual: facts.append("virtual table")
    case .shadow: facts.append("storage of a virtual table")
    case .internal: facts.append("kept by SQLite, Core Data or Seed")
    }
    facts.append(table.rowCount.map { Readable.count($0, "row") } ?? "unknown rows")
    if let byteCount = table.byteCount { facts.append(Readable.bytes(byteCount)) }
    if table.isWithoutRowID { facts.append("without rowid") }
    if table.isStrict { facts.append("strict") }
    return facts
  }

  // MARK: Columns

  private var columnTable: HTML {
    guard !table.columns.isEmpty else { return "<p class=\"soft\">The table has no columns.</p>" }
    let keys = Dictionary(
      references.outgoing[index].map { (ReferenceMap.folded($0.key.columns.first ?? ""), [$0]) },
      uniquingKeysWith: +)
    let rows = table.columns.map { column in
      """
      <tr><th scope="row">\(NameMarkup.code(column.name))</th>\
      <td>\(NameMarkup.code(column.declaredType))\(Self.value(of: column))</td>\
      <td>\(isNeverNull(column) ? "not null" : "nullable")</td>\
      <td>\(keyText(of: column, keys[ReferenceMap.folded(column.name)] ?? []))</td></tr>

      """ as HTML
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Columns of \(table.name)">
      <table class="columns">
      <thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col">Null</th>\
      <th scope="col">Key</th></tr></thead>
      <tbody>
      \(rows.joined())</tbody>
      </table>
      </div>

      """
  }

  /// Whether no row has NULL in a column: a column that is another name of the rowid never has,
  /// declared or not.
  private func isNeverNull(_ column: TableReport.Column) -> Bool {
    let isRowID =
      column.primaryKeyPosition != nil && !table.isWithoutRowID
      && table.columns.count { $0.primaryKeyPosition != nil } == 1
      && column.declaredType.uppercased() == "INTEGER"
    return column.isNotNull || isRowID
  }

  /// Where the value comes from if no row gives one.
  private static func value(of column: TableReport.Column) -> HTML {
    if column.isGenerated { return "<br><span class=\"soft\">generated</span>" }
    guard let value = column.defaultValue else { return "" }
    let text = TerminalText.cut(value, toColumns: 60)
    return "<br><span class=\"soft\">default \(NameMarkup.code(text))</span>"
  }

  private func keyText(of column: TableReport.Column, _ keys: [ReferenceMap.Key]) -> HTML {
    var texts: [HTML] = []
    if let position = column.primaryKeyPosition {
      let isCompound = table.columns.count { $0.primaryKeyPosition != nil } > 1
      texts.append("primary key\(isCompound ? ", part \(position)" : "")")
    }
    for key in keys {
      let others = key.key.columns.dropFirst()
      let with: HTML =
        others.isEmpty ? "" : "with \(NameMarkup.code(TableLink.list(Array(others)))) "
      texts.append(with + TableLink.arrow(key))
    }
    return texts.joined(separator: "<br>")
  }

  // MARK: Indexes and references

  private var indexList: HTML {
    guard !table.indexes.isEmpty else { return "" }
    let items = table.indexes.map { index in
      var facts: [String] = []
      if index.isUnique { facts.append("unique") }
      if index.isPartial { facts.append("partial") }
      if let byteCount = index.byteCount { facts.append(Readable.bytes(byteCount)) }
      let columns = TableLink.list(index.columns.map { $0 ?? "<expression>" })
      let about: HTML =
        facts.isEmpty ? "" : "<br><span class=\"soft\">\(facts.joined(separator: " · "))</span>"
      return "<li>\(NameMarkup.code(index.name)) (\(NameMarkup.code(columns)))\(about)</li>\n"
        as HTML
    }
    return "<div>\n<h4>Indexes</h4>\n<ul>\n\(items.joined())</ul>\n</div>\n"
  }

  private var incomingList: HTML {
    let keys = references.incoming[index]
    guard !keys.isEmpty else { return "" }
    let items = keys.map { key in
      """
      <li>\(TableLink.markup(key.child, name: key.childName)) \
      (\(NameMarkup.code(TableLink.list(key.key.columns))))</li>

      """ as HTML
    }
    return "<div>\n<h4>Referred to by</h4>\n<ul>\n\(items.joined())</ul>\n</div>\n"
  }
}
