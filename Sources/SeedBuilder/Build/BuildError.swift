package import SeedModel

/// Why a build failed; the previous output is then unchanged.
package struct BuildError: Error, Sendable {
  /// The kind of failure.
  package enum Reason: Sendable, Hashable {
    /// An option's value makes no sense.
    case usage
    /// An input is not what its format demands.
    case input
    /// An input does not exist or cannot be read.
    case missingInput
    /// The output cannot be created.
    case cannotCreate
    /// Reading or writing failed on the way.
    case inputOutput
    /// The tool itself is at fault.
    case internalFault
  }

  /// The kind of failure.
  package var reason: Reason
  /// What is wrong, at most 20 of them.
  package var diagnostics: [Diagnostic]

  /// Creates an error.
  package init(_ reason: Reason, _ diagnostics: [Diagnostic]) {
    self.reason = reason
    self.diagnostics = diagnostics
  }
}
