import SeedBuilder
import SeedFiles
import SeedModel
import SeedPublisher
import SeedSQLite
import SeedStreams
import SeedTransport

/// What `seed verify` says about the streams of a database.
enum StreamFindings {
  /// What of the database's own tables gets in the way of its streams, and whether it stands on a
  /// published history, if one is given.
  ///
  /// - Throws: ``PublishedSourceError`` when the history cannot be read.
  static func all(
    inDatabaseAt path: String, published: String?, headers: HeaderArguments, keys: [[UInt8]]
  ) throws -> [Finding] {
    // Damage was found before.
    guard let connection = open(path) else { return [] }
    var found = try StreamLint.findings(in: connection)
    if let published {
      do {
        found += try self.published(
          PublishedPlace.folder(published), headers: headers, keys: keys, connection)
      } catch let error as CursorError {
        found.append(
          StreamFinding(
            kind: .position, severity: .error, message: error.message,
            hint: "build and publish the database again"))
      }
    }
    return found.map { finding(for: $0) }
  }

  private static func published(
    _ place: String, headers: HeaderArguments, keys: [[UInt8]], _ connection: Connection
  ) throws -> [StreamFinding] {
    do {
      return try PublishedHistory(try source(place, headers, connection), keys: keys)
        .findings(in: connection)
    } catch let error as PublishedSourceError where error.isUnsigned {
      return [PublishedHistory.unsigned(error)]
    } catch let error as PublishedSourceError where error.isMissing {
      // Without a position there is no stream to look for; it would not be on any history.
      guard try CursorTables.cursors(in: connection).isEmpty,
        try HTTPURL.isAddress(place) || FileSystem.live.status(place)?.kind == .directory
      else { throw error }
      return [PublishedHistory.unpositioned()]
    }
  }

  private static func open(_ path: String) -> Connection? {
    do {
      let connection = try Inspection.connection(toDatabaseAt: path)
      try connection.execute("SELECT 1 FROM sqlite_schema")
      return connection
    } catch {
      return nil
    }
  }

  /// A directory, or an address.
  private static func source(
    _ text: String, _ headers: HeaderArguments, _ connection: Connection
  ) throws -> any PublishedSource {
    if HTTPURL.isAddress(text) {
      return try AddressSource(
        text, credentials: headers.resolved(for: HTTPURL.shown(text)))
    }
    let streams = try CursorTables.cursors(in: connection).map(\.stream)
    return try DirectorySource(text, stream: streams.count == 1 ? streams[0] : nil)
  }

  private static func finding(for found: StreamFinding) -> Finding {
    let code: Finding.Code =
      switch found.kind {
      case .position: .streamPosition
      case .history: .streamHistory
      case .schema: .streamSchema
      case .object: .streamObject
      case .signature: .streamSignature
      case .foreignKey: .streamForeignKey
      case .cascade: .streamCascade
      }
    var finding = Finding(code, found.severity, found.message, hint: found.hint)
    finding.table = found.table
    finding.parentTable = found.parentTable
    return finding
  }
}
