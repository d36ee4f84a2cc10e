internal import SeedFiles
internal import SeedFormat
internal import SeedModel
internal import SeedSQLite

/// The output of an earlier build, looked at before a new one.
struct PreviousOutput {
  var path: String

  /// Whether a build would give what is there.
  ///
  /// Inputs, options and versions have to be those that the stamp records, with what they made of the
  /// file besides content, such as its page size and `user_version`, and the content the one
  /// that the stamp has the digest of: an output that somebody changed is not current. That takes
  /// one reading of all rows, which is a fraction of a build. With a manifest the whole file has to
  /// be the one described there.
  ///
  /// - Returns: False also for a file that cannot be read or is no database: the build that then
  ///   follows has the error to tell.
  func isCurrent(_ record: BuildRecord, hasManifest: Bool, hasArchive: Bool = false) -> Bool {
    do {
      let file = try DatabaseFile(path: path)
      guard let header = file.header,
        FileCheck(file: file, header: header).findings().isEmpty
      else { return false }
      let connection = try file.openForReading()
      guard case .present(let stamp) = try SeedStamp.read(from: connection),
        stamp.inputsSHA256
          == (try record.sha256(sealing: connection, name: stamp.name, version: stamp.version)),
        try ContentDigest.compute(connection) == stamp.contentSHA256
      else { return false }
      try connection.close()
      if hasArchive, try !ArchiveFile.isCurrent(beside: path) { return false }
      return try !hasManifest || manifestState(record) == .current
    } catch {
      return false
    }
  }

  /// Why a build must not replace the output unless it is told to: somebody else made the database,
  /// or an app has it as its own, with what the app wrote into it.
  ///
  /// One whose schema cannot be read may be anybody's, unless the stamp's table can still be seen.
  var objection: PublishError.Reason? {
    do {
      let file = try DatabaseFile(path: path)
      guard file.byteCount > 0 else { return nil }
      let connection = try file.openForReading()
      if case .absent = try SeedStamp.read(from: connection) {
        let count = try connection.scalarInteger("SELECT count(*) FROM sqlite_schema") ?? 0
        return count > 0 ? .foreignDatabase : nil
      }
      return try InstallRecord.read(from: connection) == nil ? nil : .installedDatabase
    } catch let error as InspectionError {
      if case .notFound = error.reason { return nil }
      return .foreignDatabase
    } catch {
      return showsStamp ? nil : .foreignDatabase
    }
  }

  /// Where the output stands in its streams; nowhere if it cannot be read.
  var streamPlaces: [StreamPlace] {
    do {
      let file = try DatabaseFile(path: path)
      guard file.header != nil else { return [] }
      return try StreamPlace.all(in: file.openForReading())
    } catch {
      return []
    }
  }

  /// Whether the statement that made the stamp's table stands at the beginning of the file, as it
  /// does in damaged outputs, too.
  private var showsStamp: Bool {
    guard
      case .success(let bytes) = Result(catching: { () throws(FileError) in
        try FileSystem.live.bytes(of: path, limit: PreviousOutput.schemaByteCount)
      })
    else { return false }
    return String(decoding: bytes, as: UTF8.self).contains("CREATE TABLE \(SeedStamp.tableName)(")
  }

  /// A schema hardly takes more.
  private static let schemaByteCount = 1 << 20

  /// What the file beside the output says of it.
  ///
  /// - Throws: ``FileError``, ``SQLiteError``, ``BuildManifest/Unstamped``.
  func manifestState(_ record: BuildRecord) throws -> ManifestFile.State {
    let manifest = try BuildManifest(
      databaseAt: path, output: path, file: try FileSystem.live.digest(of: path), record)
    return try ManifestFile.state(beside: path, expected: manifest.text)
  }
}
