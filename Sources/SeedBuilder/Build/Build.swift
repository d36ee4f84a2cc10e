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
      let documents = try open(options)
      let pending = try PendingFile(for: options.output, replacing: .sqliteDatabase)
      let summary = try DatabaseBuild(options: options, documents: documents)
        .run(
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
      try DatabaseBuild(options: options, documents: try open(options)).schema()
    }
  }

  private static func open(_ options: BuildOptions) throws -> [InputDocument] {
    if let encoding = options.encoding, !XMLReader.knowsEncoding(encoding) {
      throw BuildError(
        .usage,
        [
          Diagnostic(
            .error, "unknown encoding \"\(encoding)\"",
            hint: "\"iconv -l\" lists the names that are known")
        ])
    }
    return try options.inputs.map { try InputDocument($0, spoolDirectory: nil) }
  }
}
