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
    try run(options) { try DatabaseBuild($0) }
  }

  /// What makes a database of the inputs that options name.
  ///
  /// - Throws: What ``run(_:making:)`` makes a ``BuildError`` of.
  package static func maker(_ options: BuildOptions) throws -> any DatabaseMaker {
    try DatabaseBuild(options)
  }

  /// Builds a database of another make and publishes it at the output's path.
  ///
  /// - Throws: ``BuildError`` when the build fails; the previous output is then unchanged.
  package static func run(
    _ options: BuildOptions, making maker: (BuildOptions) throws -> any DatabaseMaker
  ) throws -> BuildSummary {
    try BuildFailure.described(output: options.output) {
      // An input that cannot be opened is said before an output that cannot be made.
      try replace(maker(options), options)
    }
  }

  /// Builds the database unless the output is already what the inputs and options give.
  ///
  /// The inputs' digests are compared with the one in the output's stamp, so neither the times of
  /// files nor their folders matter; what counts as current says ``PreviousOutput``.
  ///
  /// - Returns: What was made; nil when there was nothing to do.
  /// - Throws: ``BuildError`` when the build fails; the previous output is then unchanged.
  package static func runIfChanged(_ options: BuildOptions) throws -> BuildSummary? {
    try runIfChanged(options) { try DatabaseBuild($0) }
  }

  /// Builds a database of another make unless the output is already what it would be.
  ///
  /// - Returns: What was made; nil when there was nothing to do.
  /// - Throws: ``BuildError`` when the build fails; the previous output is then unchanged.
  package static func runIfChanged(
    _ options: BuildOptions, making maker: (BuildOptions) throws -> any DatabaseMaker
  ) throws -> BuildSummary? {
    try BuildFailure.described(output: options.output) {
      var options = options
      options.recordsInputs = true
      let build = try maker(options)
      if let record = build.record,
        PreviousOutput(path: options.output).isCurrent(
          record, hasManifest: options.writesManifest, hasArchive: options.compresses)
      {
        remarkOnOldArchive(options)
        return nil
      }
      return try replace(build, options)
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

  /// Publishes the database, and says what of the one before does not fit it.
  private static func replace(
    _ build: any DatabaseMaker, _ options: BuildOptions
  ) throws -> BuildSummary {
    let places = PreviousOutput(path: options.output).streamPlaces
    let summary = try publish(build, options)
    remarkOnLostPlaces(places, options)
    remarkOnOldArchive(options)
    return summary
  }

  private static func publish(
    _ build: any DatabaseMaker, _ options: BuildOptions
  ) throws -> BuildSummary {
    let pending = try PendingFile(for: options.output, replacing: .sqliteDatabase)
    if !options.replacesForeign {
      if let objection = PreviousOutput(path: options.output).objection {
        throw PublishError(objection, path: options.output)
      }
    }
    // A killed build with other options may have left some of a file that this one does not write.
    for companion in [ArchiveFile.path, BuildManifest.path] {
      PendingFile.sweep(companion(options.output))
    }
    if options.writesManifest || options.compresses {
      return try publishWithCompanions(build, pending, options)
    }
    let summary = try build.run(
      into: pending.temporaryPath, truncate: { try pending.removeAllBytes() },
      flush: pending.flushing())
    try pending.publish()
    remarkOnOldManifest(options)
    return summary
  }

  /// Publishes the database, its packed form and its manifest in the order that
  /// ``BuildManifest`` explains.
  private static func publishWithCompanions(
    _ build: any DatabaseMaker, _ pending: consuming PendingFile, _ options: BuildOptions
  ) throws -> BuildSummary {
    let output = options.output
    var archive: PendingFile?
    if options.compresses {
      archive = try PendingFile(
        for: ArchiveFile.path(beside: output), replacing: .file(ArchiveFile.kind))
    }
    var sidecar: PendingFile?
    if options.writesManifest {
      sidecar = try PendingFile(
        for: BuildManifest.path(beside: output), replacing: .file(BuildManifest.kind))
    }
    let path = pending.temporaryPath
    let summary = try build.run(
      into: path, truncate: { try pending.removeAllBytes() }, flush: pending.flushing())
    let digest = try pending.digest()
    if let record = build.record, options.writesManifest {
      var text = try BuildManifest(
        databaseAt: path, output: output, file: digest, record
      ).text
      let writing = text.withUTF8 { bytes in
        Result { () throws(PublishError) in
          try sidecar?.write(UnsafeRawBufferPointer(bytes))
        }
      }
      try writing.get()
    }
    try archive?.pack(databaseAt: path, output: output, digest: digest)
    // On the disk before the database changes: what is left to do then can hardly fail.
    try sidecar?.flushing()()
    try archive?.flushing()()
    let isLast = archive == nil && sidecar == nil
    try pending.publish(isLastStep: isLast)
    try archive.take()?.publish(isLastStep: !options.writesManifest)
    try sidecar.take()?.publish()
    if !options.writesManifest { remarkOnOldManifest(options) }
    return summary
  }
}
