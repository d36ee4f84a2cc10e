/// Sets texts below each other in columns.
enum TextColumns {
  /// The widest that a column gets for the sake of its texts.
  private static let widest = 40

  /// The rows as lines; a text wider than its column pushes the rest of its line to the right.
  static func text(of rows: [[String]], indentation: Int) -> String {
    let rows = rows.map { row in row.map { TerminalText.escaped($0) } }
    let columnCount = rows.map(\.count).max() ?? 0
    let widths = (0..<columnCount).map { column in
      rows.compactMap { column < $0.count ? TerminalText.width(of: $0[column]) : nil }
        .filter { $0 <= widest }.max() ?? 0
    }
    let margin = String(repeating: " ", count: indentation)
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        line += column == 0 ? margin : "  "
        let padding = max(0, widths[column] - TerminalText.width(of: text))
        line += text + String(repeating: " ", count: padding)
      }
      return trimmed(line) + "\n"
    }.joined()
  }

  private static func trimmed(_ line: String) -> Substring {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return line
  }
}
