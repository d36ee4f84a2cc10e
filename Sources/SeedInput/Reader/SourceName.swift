/// The parts of a path or URL that say what an input is called.
package struct SourceName: Sendable, Hashable {
  /// The name of the file without folders, query and extensions; empty when there is none.
  package let stem: String
  /// The extension in lower case, without its dot and without a `.gz` behind it.
  package let fileExtension: String

  /// Takes a path or URL apart.
  package init(_ name: String) {
    var text = name[...]
    if text.hasPrefix("https://") || text.hasPrefix("http://") {
      text = text.prefix { $0 != "?" && $0 != "#" }
    }
    if let slash = text.lastIndex(of: "/") { text = text[text.index(after: slash)...] }
    if text.lowercased().hasSuffix(".gz") { text = text.dropLast(3) }
    guard let dot = text.lastIndex(of: "."), dot > text.startIndex else {
      stem = String(text)
      fileExtension = ""
      return
    }
    stem = String(text[..<dot])
    fileExtension = text[text.index(after: dot)...].lowercased()
  }
}
