internal import SeedFiles
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Turns inputs into one database.
package enum Build {
  /// Builds the database and publishes it at the output's path.
  ///
  /// - Throws: ``BuildError`` when the build fails; the previous output is then unchanged.
  package static func run(_ options: BuildOptions) throws -> BuildSummary {
    try BuildFailure.described(output: options.output) {
      // An input that cannot be opened is said before an output that cannot be made.
      let build = try DatabaseBuild(options)
      let pending = try PendingFile(for: options.output, replacing: .sqliteDatabase)
      let summary = try build.run(
        into: pending.temporaryPath, truncate: { try pending.removeAllBytes() },
        flush: pending.flushing())
      try pending.publish()
      return summary
    }
  }

  /// The `CREATE` statements that a build of the same options would use.
  ///
  /// - Throws: ``BuildError`` when an input cannot be read.
  package static func schema(_ options: BuildOptions) throws -> String {
    try BuildFailure.described(output: "the temporary database") {
      try DatabaseBuild(options).schema()
    }
  }

  /// What a build would make of the inputs without any rules, as rules to write down and change.
  ///
  /// - Throws: ``BuildError`` when an input cannot be read.
  package static func outline(_ options: BuildOptions) throws -> BuildOutline {
    try BuildFailure.described(output: "the temporary database") {
      try DatabaseBuild(options).outline()
    }
  }
}
