/// Names of tables, columns and indexes, broken between lines where a reader would break them.
enum NameMarkup {
  /// The most characters that stay together; a longer word is broken anywhere, since it would make
  /// the page wider than a telephone.
  private static let wordLimit = 28

  /// A name that may be broken behind `_` and nowhere else.
  static func code(_ name: String) -> HTML {
    let words = name.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    let isLong = words.contains { TerminalText.width(of: $0) > wordLimit }
    let kind: HTML = isLong ? " class=\"long\"" : ""
    let markup = words.map { "\($0)" as HTML }.joined(separator: "_<wbr>")
    return "<code\(kind)>\(markup)</code>"
  }
}
