internal import SeedFormat
internal import SeedSQLite

/// What a database says of itself, as far as an installation wants to know.
internal struct DatabaseFacts: Sendable, Equatable {
  /// The beginning of the file.
  internal var start: [UInt8]
  /// Its header; nil for a file that is no database.
  internal var header: DatabaseHeader? { DatabaseHeader(start) }
  /// The stamp, if it has one.
  internal var stamp: SeedStamp?
  /// Whether there is a stamp that this version cannot read, as one of a later version may be.
  internal var hasUnknownStamp = false
  /// The `application_id` that it had as a seed, where that is noted: the app may have set another.
  internal var seedApplicationID: Int32?
  /// The number of tables and other objects.
  internal var objectCount: Int64 = 0

  /// How many bytes of a file are looked at.
  internal static let startByteCount = 512

  internal var identity: SeedIdentity {
    SeedIdentity(
      name: stamp?.name, version: stamp?.version, contentSHA256: stamp?.contentSHA256,
      userVersion: header?.userVersion ?? 0,
      applicationID: seedApplicationID ?? header?.applicationID ?? 0)
  }

  /// Reads everything but the beginning of the file.
  internal init(start: [UInt8], from connection: Connection) throws(SQLiteError) {
    self.start = start
    objectCount = try connection.scalarInteger("SELECT count(*) FROM sqlite_schema") ?? 0
    switch try SeedStamp.read(from: connection) {
    case .absent: break
    case .malformed: hasUnknownStamp = true
    case .present(let found):
      stamp = found
      seedApplicationID = try SeedBase.applicationID(on: connection)
    }
  }

  /// The facts about a file that is no database, or about one by its parts.
  internal init(start: [UInt8], stamp: SeedStamp? = nil, objectCount: Int64 = 0) {
    self.start = start
    self.stamp = stamp
    self.objectCount = objectCount
  }
}
