package import SeedModel

/// What there is to know of an input besides its tokens.
package struct ReaderOutcome: Sendable {
  /// Namespace prefixes that are used without a declaration, with the first place of each.
  package var undeclaredPrefixes: [(prefix: String, location: SourceLocation)] = []
  /// Warnings and notes about the input, in its order.
  package var remarks: [Diagnostic] = []
  /// Whether the consumer stopped the reading.
  package var wasCancelled = false

  /// An outcome with nothing to say.
  package init() {}
}
