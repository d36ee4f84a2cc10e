import SeedBuilder
import SeedModel

/// What takes how much of the file: the tables by size, each with its indexes.
struct SizeSection {
  private let report: DatabaseReport

  init(_ report: DatabaseReport) {
    self.report = report
  }

  /// A table's bytes with those of its indexes.
  private static func total(_ table: TableReport) -> Int64 {
    table.indexes.reduce(table.byteCount ?? 0) { $0 + ($1.byteCount ?? 0) }
  }

  var markup: HTML {
    let order = report.tables.enumerated().sorted { a, b in
      let (left, right) = (Self.total(a.element), Self.total(b.element))
      return left == right ? a.offset < b.offset : left > right
    }
    var rows = order.map { index, table in
      row(TableLink.markup(index, name: table.name), table.rowCount, table.byteCount)
        + table.indexes.map { index in
          row("index \(NameMarkup.code(index.name))", nil, index.byteCount, isPart: true)
        }.joined()
    }
    if let rest { rows.append(row("schema and free pages", nil, rest, isPart: true)) }
    return """
      <section>
      <h2>Sizes</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Sizes">
      <table class="sizes">
      <thead><tr><th scope="col">Table or index</th><th scope="col" class="number">Rows</th>\
      <th scope="col" class="number">Size</th><th scope="col" class="share">Share</th>\
      </tr></thead>
      <tbody>
      \(rows.joined())</tbody>
      </table>
      </div>
      </section>

      """
  }

  /// The bytes that belong to no table or index; nil where sizes are not known.
  private var rest: Int64? {
    guard report.tables.contains(where: { $0.byteCount != nil }) else { return nil }
    let rest = report.tables.reduce(report.byteCount) { $0 - Self.total($1) }
    return rest > 0 ? rest : nil
  }

  private func row(
    _ name: HTML, _ rowCount: Int64?, _ byteCount: Int64?, isPart: Bool = false
  ) -> HTML {
    // What is no table is drawn back.
    let kind: HTML = isPart ? " class=\"sub\"" : ""
    return """
      <tr\(kind)><th scope="row">\(name)</th>\
      <td class="number">\(rowCount.map { Readable.count($0) } ?? "")</td>\
      <td class="number">\(byteCount.map { Readable.bytes($0) } ?? "")</td>\
      <td class="share">\(byteCount.map { share($0) } ?? "")</td></tr>

      """
  }

  private func share(_ byteCount: Int64) -> HTML {
    let thousandths = Int(
      (Double(byteCount) / Double(max(1, report.byteCount)) * 1000).rounded())
    return """
      <span>\(Self.percent(thousandths))</span><svg viewBox="0 0 1000 8" preserveAspectRatio="none" \
      aria-hidden="true"><rect class="track" width="1000" height="8"/>\
      <rect class="bar" width="\(min(1000, thousandths))" height="8"/></svg>
      """
  }

  /// `37.2 %`; what is too small to show is not shown as nothing.
  private static func percent(_ thousandths: Int) -> String {
    thousandths == 0 ? "< 0.1 %" : "\(thousandths / 10).\(thousandths % 10) %"
  }
}
