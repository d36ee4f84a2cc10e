import SeedFormat
import SeedModel
import SeedSQLite

/// Checks a database: the file, its structure, its references and its stamp.
package enum Verification {
  /// Everything that is wrong with the database at a path; empty when nothing is.
  ///
  /// Damage is a finding, never an error. Changes nothing.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - check: What a kind of database demands beyond that, for databases of this kind.
  /// - Returns: The findings: of the file, of its structure, of its content, of its stamp.
  /// - Throws: ``InspectionError`` when there is no readable file.
  package static func findings(
    inDatabaseAt path: String, with check: (any ContentCheck)? = nil
  ) throws(InspectionError) -> [Finding] {
    let file = try DatabaseFile(path: path)
    guard let header = file.header else {
      let signature = file.signature
      return [
        Finding(
          .notADatabase, "this is not an SQLite database; it looks like \(signature.name)",
          hint: signature.advice)
      ]
    }
    let outside = FileCheck(file: file, header: header).findings()
    do throws(SQLiteError) {
      var distrusted: [Finding] = []
      let connection = try file.openForReading { distrusted.append(Self.distrusted($0)) }
      let kind = try check.flatMap { check throws(SQLiteError) in
        try check.applies(to: connection) ? check : nil
      }
      let found = appraised(outside, by: kind) + (try contentFindings(in: connection, with: kind))
      let use = try Use(connection)
      return found.map { inUse($0, use) } + distrusted
    } catch {
      return outside + [
        Finding(
          .unreadable, "SQLite cannot read the database: \(error.message)",
          hint: error.hint ?? rebuild)
      ]
    }
  }

  private static func contentFindings(
    in connection: Connection, with check: (any ContentCheck)?
  ) throws(SQLiteError) -> [Finding] {
    let structure = try IntegrityCheck(connection: connection).findings()
    // A damaged file has no references and no digest worth comparing.
    guard structure.allSatisfy({ $0.severity != .error }) else { return structure }
    return try structure + ForeignKeyCheck(connection: connection).findings()
      + (check?.findings(in: connection) ?? [])
      + appraised(stampFindings(in: connection), by: check)
  }

  /// The findings as they are to be taken in a kind of database.
  private static func appraised(_ findings: [Finding], by check: (any ContentCheck)?) -> [Finding] {
    guard let check else { return findings }
    return findings.compactMap { check.appraise($0) }
  }

  /// What has become of a database since it was built.
  private enum Use {
    case built
    /// It stands in a stream, and nothing was applied to it yet.
    case published
    /// It is in an app's hands: it was installed, or a stream has changed it.
    case app

    init(_ connection: Connection) throws(SQLiteError) {
      let streams = try StreamPlace.all(in: connection)
      let isInstalled = try InstallRecord.read(from: connection) != nil
      if isInstalled || streams.contains(where: \.isApplied) {
        self = .app
      } else {
        self = streams.isEmpty ? .built : .published
      }
    }
  }

  /// A finding as it is to be taken in a database that is used: that is changed by design.
  private static func inUse(_ finding: Finding, _ use: Use) -> Finding {
    switch finding.code {
    case .walMode where finding.severity == .error && use != .built:
      Finding(
        .walMode, .note, "the database is in WAL mode, as apps and streams leave it",
        hint: "in an app nothing is to be done; before it ships in a read-only place, run "
          + "\"PRAGMA journal_mode = DELETE\" on it, or \"seed publish\"")
    case .contentChanged where finding.severity == .error && use == .app:
      Finding(
        .contentChanged, .note,
        "the content was changed after the build, as an app's database is by the app and by updates",
        hint: "\"seed diff\" compares it with a build")
    default: finding
    }
  }

  private static func distrusted(_ function: String) -> Finding {
    Finding(
      .untrustedFunction, .warning,
      "the schema uses \(MissingPart.function(function).name), which this version of SQLite does not "
        + "call in a file that it does not trust: the database can be neither installed nor published "
        + "with it",
      hint: "fill an ordinary column with the value, and index that")
  }

  /// What to do about damage.
  static let rebuild = "build the database again, or restore it from a copy"

  private static func stampFindings(in connection: Connection) throws(SQLiteError) -> [Finding] {
    switch try SeedStamp.read(from: connection) {
    case .absent:
      return [
        Finding(
          .stampMissing, "the database has no stamp",
          hint: "build the database with \"seed build\"")
      ]
    case .malformed(let problem):
      return [
        Finding(
          .stampMalformed, problem,
          hint: "check the database with the version of seed that built it, or build it again")
      ]
    case .present(let stamp):
      let digest: String
      do throws(SQLiteError) {
        digest = try ContentDigest.compute(connection)
      } catch {
        guard let part = error.missingPart else { throw error }
        return [
          Finding(
            .missingPart, .warning,
            "whether the content is that of the build cannot be checked without \(part.name), which "
              + "this SQLite lacks",
            hint: IntegrityCheck.advice)
        ]
      }
      guard digest != stamp.contentSHA256 else { return [] }
      return [
        Finding(
          .contentChanged,
          "the content was changed after the build: its digest is \(digest), "
            + "the stamp says \(stamp.contentSHA256)",
          hint: "build the database again if the change is not wanted")
      ]
    }
  }
}
