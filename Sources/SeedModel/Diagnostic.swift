/// One message to the user: what is wrong, where, and what to do about it.
///
/// Wording: present tense, lower case, no full stop, values in double quotes.
package struct Diagnostic: Sendable, Hashable {
  /// How grave a diagnostic is, in the words that compilers print.
  package enum Severity: String, Sendable {
    case error, warning, note
  }

  package var severity: Severity
  package var message: String
  /// The place, when the message is about one place of an input.
  package var location: SourceLocation?
  package var excerpt: SourceExcerpt?
  /// What to do next, as an imperative sentence.
  package var hint: String?

  package init(
    _ severity: Severity, _ message: String, at location: SourceLocation? = nil,
    excerpt: SourceExcerpt? = nil, hint: String? = nil
  ) {
    self.severity = severity
    self.message = message
    self.location = location
    self.excerpt = excerpt
    self.hint = hint
  }
}
