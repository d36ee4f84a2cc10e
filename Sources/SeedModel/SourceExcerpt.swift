/// A piece of one source line, kept so that an error can show it with a caret below.
package struct SourceExcerpt: Sendable, Hashable {
  /// The line's text, or the part of a long line around the caret; without its line break.
  package var text: String
  /// How many Unicode scalars of `text` stand before the caret.
  package var caretOffset: Int

  package init(text: String, caretOffset: Int) {
    self.text = text
    self.caretOffset = caretOffset
  }
}
