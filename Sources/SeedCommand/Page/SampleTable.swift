import SeedBuilder
import SeedModel

/// The first rows of a table.
struct SampleTable {
  /// The columns of text that a name gets above its values.
  private static let nameLimit = 32

  private let sample: TableSample
  private let table: TableReport

  init(_ sample: TableSample, of table: TableReport) {
    self.sample = sample
    self.table = table
  }

  var markup: HTML {
    if let gap = sample.gap { return "<p class=\"rows soft\">\(Self.text(of: gap))</p>\n" }
    guard !sample.rows.isEmpty else { return "" }
    let numeric = sample.columns.indices.map { column in
      sample.rows.contains { $0[column].isNumber }
        && sample.rows.allSatisfy { $0[column].isNumber || $0[column] == .null }
    }
    let head = zip(sample.columns, numeric).map { name, isNumeric in
      let kind: HTML = isNumeric ? " class=\"number\"" : ""
      let name = TerminalText.cut(name, toColumns: Self.nameLimit)
      return "<th scope=\"col\"\(kind)><code>\(name)</code></th>" as HTML
    }
    let rows = sample.rows.map { row in
      let cells = zip(row, numeric).map { value, isNumeric in
        let kind: HTML =
          isNumeric ? "value number" : value.isLong ? "value long" : "value"
        return "<td class=\"\(kind)\">\(Self.markup(of: value))</td>" as HTML
      }
      return "<tr>\(cells.joined())</tr>\n" as HTML
    }
    return """
      <div class="rows">
      <h4>\(title)</h4>
      <div class="scroll wide" tabindex="0" role="region" aria-label="Rows of \(table.name)">
      <table class="sample">
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>
      \(rows.joined())</tbody>
      </table>
      </div>
      </div>

      """
  }

  private var title: String {
    let count = Int64(sample.rows.count)
    let isAll = table.rowCount == count
    var title = isAll ? (count == 1 ? "The row" : "All rows") : "The first \(count) rows"
    if sample.columns.count < table.columns.count {
      title += ", \(sample.columns.count) of \(table.columns.count) columns"
    }
    return title
  }

  private static func text(of gap: TableSample.Gap) -> String {
    switch gap {
    case .unreadable(let problem): "The rows cannot be read: \(problem)."
    case .noRoom: "Rows are not shown: those of the tables above fill the page."
    }
  }

  /// What is not the value itself stands in italics, so that NULL differs from the text "NULL".
  private static func markup(of value: TableSample.Value) -> HTML {
    switch value {
    case .null: "<i>NULL</i>"
    case .integer(let number): "\(String(number))"
    case .real(let number): "\(number.description)"
    case .text("", false, _): "<i>empty</i>"
    case .text(let text, false, _): ValueText.markup(text)
    case .text(let text, true, let count):
      ValueText.markup(text) + "<i>… \(Readable.bytes(count))</i>"
    case .blob(let count): "<i>BLOB, \(Readable.bytes(count))</i>"
    }
  }
}

extension TableSample.Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob: false
    }
  }

  /// Whether the value may take several lines; short ones, such as dates, never do.
  fileprivate var isLong: Bool {
    guard case .text(let text, _, _) = self else { return false }
    return TerminalText.width(of: text) > 28
  }
}
