/// The measures of a diagram in pixels.
///
/// Every box stands on a grid of `line` pixels, so that the lines of all boxes and the edges that
/// pass between boxes share their heights and an edge can run straight.
enum DiagramMetrics {
  /// The height of one line of a box, and the unit of the grid.
  static let line = 22
  /// The height of a box's part with the name.
  static let head = 30
  /// What follows the last line of a box.
  static let foot = 6
  /// The least space below a box.
  static let spacing = 26
  /// The space between a box's edge and its texts.
  static let padding = 12
  /// The widest and the narrowest box.
  static let boxWidths = 148...300
  /// The most columns of text that a name and a type get.
  static let columnLimits = (name: 24, type: 14, title: 30)
  /// From one edge to the next that runs beside it.
  static let track = 12
  /// From a box to the first edge that runs beside it.
  static let clearance = 26
  /// Between columns of boxes without an edge between them.
  static let plainGap = 40

  /// From a box's top to the middle of one of its lines.
  static func middle(ofLine index: Int) -> Int { head + line * index + line / 2 }

  /// From the top of a cell of the grid to an edge that passes there: as high as a line's middle.
  static let passing = (head + line / 2) % line

  static func boxHeight(of table: DiagramGraph.Table) -> Int {
    head + line * max(1, table.lineCount) + foot
  }

  /// The cells of the grid that a box takes with the space below it.
  static func cells(of table: DiagramGraph.Table) -> Int {
    (boxHeight(of: table) + spacing + line - 1) / line
  }

  /// The width of text in the diagram's typeface, whose characters are all about 0.6 em wide.
  static func textWidth(_ text: String, fontSize: Int = 12) -> Int {
    (TerminalText.width(of: text) * fontSize * 61 + 99) / 100
  }

  /// The width of the marks for keys before the names.
  static func markWidth(of table: DiagramGraph.Table) -> Int {
    if table.rows.contains(where: { $0.isKey && $0.isReference }) { return 42 }
    return table.rows.contains { $0.isKey || $0.isReference } ? 24 : 0
  }

  /// The line that stands for the columns not shown.
  static func hiddenText(of table: DiagramGraph.Table) -> String {
    Readable.count(Int64(table.hiddenRowCount), "more column")
  }

  static func boxWidth(of table: DiagramGraph.Table) -> Int {
    var lines = table.rows.map { row in
      let type = TerminalText.cut(row.type, toColumns: columnLimits.type)
      return textWidth(TerminalText.cut(row.name, toColumns: columnLimits.name))
        + (type.isEmpty ? 0 : padding + textWidth(type))
    }
    if table.hiddenRowCount > 0 { lines.append(textWidth(hiddenText(of: table))) }
    let title = textWidth(
      TerminalText.cut(table.name, toColumns: columnLimits.title), fontSize: 13)
    let width = 2 * padding + max(title, markWidth(of: table) + (lines.max() ?? 0))
    return min(max(width, boxWidths.lowerBound), boxWidths.upperBound)
  }
}
