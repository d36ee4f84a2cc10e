import SeedBuilder
import SeedModel

/// A database described on one HTML page that needs nothing beside it: no network, font or script.
///
/// The page depends on the database's content and its manifest alone, not on where or when it is
/// made, so the same database gives the same page.
struct DatabasePage {
  private let contents: DatabaseContents
  private let inputs: [RecordedInput]
  private let references: ReferenceMap
  /// What the file is.
  private let kind: String

  /// - Parameters:
  ///   - contents: What is shown.
  ///   - inputs: What it was made from, if that is known.
  ///   - isStore: Whether it is a Core Data store; see ``StorePage``.
  init(_ contents: DatabaseContents, inputs: [RecordedInput], isStore: Bool = false) {
    self.contents = contents
    self.inputs = inputs
    kind = isStore ? "Core Data store" : "SQLite database"
    references = ReferenceMap(contents.report.tables)
  }

  /// The file's name without its directory.
  private var name: String {
    contents.report.path.split(separator: "/").last.map(String.init) ?? contents.report.path
  }

  /// Hands over the page piece by piece.
  func write(_ write: (HTML) throws -> Void) rethrows {
    try write(head)
    try write(PageHeader(contents.report, name: name, kind: kind).markup)
    try write("<main>\n")
    try write(OriginSection(contents.report, inputs: inputs).markup)
    if !contents.report.tables.isEmpty {
      try write(DiagramSection(references).markup)
      try write(SizeSection(contents.report).markup)
      try write("<section>\n<h2>Tables</h2>\n")
      for (index, sample) in contents.samples.enumerated() {
        try write(TableSection(index: index, references: references, sample: sample).markup)
      }
      try write("</section>\n")
    }
    try write(DefinitionSection(.view, in: contents.definitions).markup)
    try write(DefinitionSection(.trigger, in: contents.definitions).markup)
    try write("</main>\n")
    try write(
      "<footer>Made by seed \(ToolVersion.number) from \(name).</footer>\n</body>\n</html>\n")
  }

  private var head: HTML {
    // Markup of its own, which escaping would change: the digest covers these very bytes.
    let sheet = HTML(stringLiteral: PageStyle.sheet)
    // The quotes around the policy's keywords need no escape between double quotes.
    let policy = HTML(stringLiteral: PageStyle.contentSecurityPolicy)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(name): \(kind == "Core Data store" ? "a" : "an") \(kind)</title>
      <style>\(sheet)</style>
      </head>
      <body>

      """
  }
}
