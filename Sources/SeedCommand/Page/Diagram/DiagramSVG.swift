/// Draws a diagram as an SVG element whose boxes lead to the sections of their tables.
enum DiagramSVG {
  /// The radius of an edge's corners.
  private static let radius = 6

  static func markup(of graph: DiagramGraph, label: String) -> HTML {
    let layout = DiagramLayout(graph)
    let (width, height) = (layout.width, layout.height)
    var markup: HTML = """
      <svg width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="group" \
      aria-label="\(label)">

      """
    if let parting = layout.parting {
      markup += "<path class=\"rule\" d=\"M0 \(parting)h\(width)\"/>\n"
    }
    for (table, box) in zip(graph.tables, layout.boxes) { markup += self.box(table, at: box) }
    // After the boxes, so that the ends lie on their frames.
    for (reference, line) in zip(graph.references, layout.lines) {
      markup += edge(line, label: reference.label)
    }
    return markup + "</svg>\n"
  }

  private static func edge(_ line: [DiagramLayout.Point], label: String) -> HTML {
    guard let start = line.first, let end = line.last, let before = line.dropLast().last else {
      return ""
    }
    let back = end.x < before.x ? 7 : -7
    return """
      <g><title>\(label)</title><path class="edge" d="\(path(line))"/>\
      <circle class="end" cx="\(start.x)" cy="\(start.y)" r="3"/>\
      <path class="end" d="M\(end.x) \(end.y)L\(end.x + back) \(end.y - 4)v8z"/></g>

      """
  }

  /// A line with rounded corners.
  static func path(_ line: [DiagramLayout.Point]) -> String {
    guard let first = line.first, let last = line.last else { return "" }
    var path = "M\(first.x) \(first.y)"
    for index in line.indices.dropFirst().dropLast() {
      let corner = line[index]
      // Two corners close to each other share the way between them.
      let radius = min(
        Self.radius, distance(line[index - 1], corner) / 2, distance(corner, line[index + 1]) / 2)
      let enter = step(from: corner, to: line[index - 1], radius)
      let leave = step(from: corner, to: line[index + 1], radius)
      path += "L\(enter.x) \(enter.y)Q\(corner.x) \(corner.y) \(leave.x) \(leave.y)"
    }
    return path + "L\(last.x) \(last.y)"
  }

  private static func distance(_ a: DiagramLayout.Point, _ b: DiagramLayout.Point) -> Int {
    abs(a.x - b.x) + abs(a.y - b.y)
  }

  private static func step(
    from start: DiagramLayout.Point, to end: DiagramLayout.Point, _ length: Int
  ) -> DiagramLayout.Point {
    DiagramLayout.Point(
      x: start.x + (end.x - start.x).signum() * length,
      y: start.y + (end.y - start.y).signum() * length)
  }

  private static func box(_ table: DiagramGraph.Table, at box: DiagramLayout.Box) -> HTML {
    let (x, y, width) = (box.x, box.y, box.width)
    let room = (width - 2 * DiagramMetrics.padding) * 100 / (13 * 61)
    let title = TerminalText.cut(table.name, toColumns: max(1, room))
    var markup: HTML = """
      <a href="#table-\(table.index)" aria-label="Table \(table.name)">\
      <rect class="box" x="\(x)" y="\(y)" width="\(width)" height="\(box.height)" rx="6"/>\
      <path class="head" d="M\(x + 1) \(y + DiagramMetrics.head)v-\(DiagramMetrics.head - 6)\
      q0 -5 5 -5h\(width - 12)q5 0 5 5v\(DiagramMetrics.head - 6)z"/>\
      <text class="title" x="\(x + DiagramMetrics.padding)" y="\(y + 20)">\(title)</text>
      """
    let marks = DiagramMetrics.markWidth(of: table)
    for (index, row) in table.rows.enumerated() {
      markup += line(row, markWidth: marks, x: x, y: y + baseline(index), width: width)
    }
    if table.hiddenRowCount > 0 {
      markup += """
        <text class="more" x="\(x + DiagramMetrics.padding + marks)" \
        y="\(y + baseline(table.rows.count))">\(DiagramMetrics.hiddenText(of: table))</text>
        """
    }
    return markup + "</a>\n"
  }

  private static func baseline(_ index: Int) -> Int { DiagramMetrics.middle(ofLine: index) + 4 }

  private static func line(
    _ row: DiagramGraph.Row, markWidth: Int, x: Int, y: Int, width: Int
  ) -> HTML {
    let type = TerminalText.cut(row.type, toColumns: DiagramMetrics.columnLimits.type)
    let taken = type.isEmpty ? 0 : DiagramMetrics.textWidth(type) + DiagramMetrics.padding
    let room = (width - 2 * DiagramMetrics.padding - markWidth - taken) * 100 / (12 * 61)
    let name = TerminalText.cut(row.name, toColumns: max(1, room))
    var markup: HTML = ""
    if row.isKey || row.isReference {
      let mark = row.isKey ? row.isReference ? "PK FK" : "PK" : "FK"
      markup += """
        <text class="mark" x="\(x + DiagramMetrics.padding)" y="\(y)">\(mark)</text>
        """
    }
    markup += """
      <text x="\(x + DiagramMetrics.padding + markWidth)" y="\(y)">\(name)</text>
      """
    if !type.isEmpty {
      markup += """
        <text class="type" x="\(x + width - DiagramMetrics.padding)" y="\(y)" \
        text-anchor="end">\(type)</text>
        """
    }
    return markup
  }
}
