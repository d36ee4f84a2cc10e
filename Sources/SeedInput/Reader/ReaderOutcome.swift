package import SeedModel

/// What there is to know of an input besides its tokens.
package struct ReaderOutcome: Sendable {
  /// Namespace prefixes that are used without a declaration, with the first place of each.
  package var undeclaredPrefixes: [(prefix: String, location: SourceLocation)] = []
  /// Whether the consumer stopped the reading.
  package var wasCancelled = false

  /// An outcome with nothing to say.
  package init() {}
}
