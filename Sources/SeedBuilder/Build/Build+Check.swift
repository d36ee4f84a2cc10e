internal import SeedFiles
internal import SeedFormat
internal import SeedModel
internal import SeedSQLite

extension Build {
  /// Builds under a temporary name and compares the result with the output, which stays as it is.
  ///
  /// The output is up to date if a build would give the same content: the same file, or one that
  /// differs only in the layout of its pages, as another version of SQLite makes it. What options
  /// ask for counts, too: page size, `auto_vacuum`, statistics, what is declared of streams and of the
  /// seed's own tables and, if it is wanted, the manifest.
  ///
  /// - Throws: ``BuildError`` when the build fails; ``InspectionError`` when the output is damaged.
  package static func check(_ options: BuildOptions) throws -> CheckReport {
    try check(options) { try DatabaseBuild($0) }
  }

  /// Compares what a build of another make would give with the output, which stays as it is.
  ///
  /// - Throws: ``BuildError`` when the build fails; ``InspectionError`` when the output is damaged.
  package static func check(
    _ options: BuildOptions, making maker: (BuildOptions) throws -> any DatabaseMaker
  ) throws -> CheckReport {
    try BuildFailure.described(output: options.output) {
      let build = try maker(options)
      var report = CheckReport(output: options.output)
      guard let status = try FileSystem.live.status(options.output), status.byteCount > 0 else {
        report.findings = [CheckReport.Finding(.missing, "there is no database yet")]
        return report
      }
      let pending = try PendingFile(for: options.output, replacing: .sqliteDatabase)
      _ = try build.run(
        into: pending.temporaryPath, truncate: { try pending.removeAllBytes() }, flush: {})
      let (built, found) = (try pending.digest(), try FileSystem.live.digest(of: options.output))
      if built != found { try compare(pending.temporaryPath, &report) }
      // A build would replace the manifest of a stale output anyway.
      if report.isUpToDate, options.writesManifest, let record = build.record {
        try checkManifest(record, &report)
      }
      try checkArchive(&report)
      return report
    }
  }

  /// Compares two files that differ somewhere.
  private static func compare(_ built: String, _ report: inout CheckReport) throws {
    report.difference = try DatabaseDiff.difference(from: report.output, to: built)
    if !report.difference.isEmpty {
      report.findings.append(
        CheckReport.Finding(.content, "the content is not what the sources give"))
    }
    let (found, expected) = (try Traits(report.output), try Traits(built))
    if found.pageSize != expected.pageSize {
      report.findings.append(
        CheckReport.Finding(
          .pageSize, "the page size is \(found.pageSize), not \(expected.pageSize)"))
    }
    if found.autoVacuum != expected.autoVacuum {
      report.findings.append(
        CheckReport.Finding(
          .autoVacuum, "auto_vacuum is \(found.autoVacuum), not \(expected.autoVacuum)"))
    }
    if found.hasStatistics != expected.hasStatistics {
      report.findings.append(
        CheckReport.Finding(
          .statistics, "statistics are \(found.hasStatistics ? "there" : "missing")"))
    }
    if let table = found.declarations.differingTable(from: expected.declarations) {
      report.findings.append(
        CheckReport.Finding(
          .declarations, "the table \"\(table)\" does not say what the project file does"))
    }
    if report.difference.isEmpty, found.identity != expected.identity {
      report.findings.append(
        CheckReport.Finding(.stamp, "the stamp is not the one that the sources give"))
    }
  }

  /// A packed form that is there is shipped, too, and has to be that of the output.
  private static func checkArchive(_ report: inout CheckReport) throws {
    guard try ArchiveFile.isStale(beside: report.output) else { return }
    report.findings.append(
      CheckReport.Finding(
        .archive,
        "the packed form \"\(ArchiveFile.path(beside: report.output))\" is of another database"))
  }

  private static func checkManifest(_ record: BuildRecord, _ report: inout CheckReport) throws {
    switch try PreviousOutput(path: report.output).manifestState(record) {
    case .current: break
    case .missing:
      report.findings.append(CheckReport.Finding(.manifest, "the manifest is missing"))
    case .stale(let difference):
      report.findings.append(
        CheckReport.Finding(.manifest, "the manifest is another one: it \(difference)"))
    }
  }
}

/// What options decide about a database besides its content.
private struct Traits {
  var pageSize: Int64
  var autoVacuum: Int64
  var hasStatistics: Bool
  /// What the project file says for apps and publishers.
  var declarations: DatabaseDeclarations
  /// What the stamp says of name, version and content; nil without a stamp.
  var identity: [String?]?

  init(_ path: String) throws(InspectionError) {
    let file = try DatabaseFile(path: path)
    _ = try file.wholeHeader()
    do throws(SQLiteError) {
      let connection = try file.openForReading()
      pageSize = try connection.scalarInteger("PRAGMA page_size") ?? 0
      autoVacuum = try connection.scalarInteger("PRAGMA auto_vacuum") ?? 0
      hasStatistics =
        try connection.scalarInteger("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'")
        != nil
      declarations = try DatabaseDeclarations(connection)
      if case .present(let stamp) = try SeedStamp.read(from: connection) {
        identity = [stamp.name, stamp.version, stamp.contentSHA256]
      }
    } catch {
      throw InspectionError(.database(error), path: path)
    }
  }
}
