import SeedModel

/// Turns inputs into one database.
package enum Build {
  /// Builds the database and publishes it at the output's path.
  ///
  /// - Throws: ``BuildError`` when the build fails; the previous output is then unchanged.
  package static func run(_ options: BuildOptions) throws -> BuildSummary {
    throw BuildError(.internalFault, [Diagnostic(.error, "this build has no reader")])
  }

  /// The `CREATE` statements that a build of the same options would use.
  ///
  /// - Throws: ``BuildError`` when an input cannot be read.
  package static func schema(_ options: BuildOptions) throws -> String {
    throw BuildError(.internalFault, [Diagnostic(.error, "this build has no reader")])
  }
}
