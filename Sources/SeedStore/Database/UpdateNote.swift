internal import SeedFormat
internal import SeedSQLite

/// What of a database tells whether a transaction was committed that changes all of its content.
internal struct UpdateMark: Sendable, Equatable {
  internal var schemaVersion: UInt32
  /// The identifier of the installation; nil in a database without a stamp.
  internal var identifier: String?

  internal init(schemaVersion: UInt32, identifier: String?) {
    self.schemaVersion = schemaVersion
    self.identifier = identifier
  }

  /// Reads it from a database that others may be using.
  internal init(from connection: Connection) throws(SQLiteError) {
    try connection.execute("BEGIN")
    let version = try connection.scalarInteger("PRAGMA schema_version") ?? 0
    self.init(
      schemaVersion: UInt32(truncatingIfNeeded: version),
      identifier: try InstallRecord.read(from: connection)?.identifier)
    try connection.execute("COMMIT")
  }
}

/// What is noted of a transaction in the name of a copy that waits for what becomes of it.
///
/// The transaction itself writes a new identifier of the installation, which nobody else does: so
/// it was committed if, and only if, the database has that. Content without a stamp has none; then
/// the schema version tells, which such a transaction raises. That is less: a change of the app's
/// own to its schema, made after the process had died, raises it, too.
internal struct UpdateNote: Sendable, Equatable {
  /// The identifier that the content to come has.
  internal enum Next: Sendable, Equatable {
    /// The end of it, as names are short.
    case identifier(String)
    case none
    /// Not noted.
    case unknown
  }

  /// The schema version before the transaction.
  internal var schemaVersion: UInt32
  internal var next: Next

  internal init(schemaVersion: UInt32, identifier: String?) {
    self.schemaVersion = schemaVersion
    next = identifier.map { .identifier(Self.end(of: $0)) } ?? .none
  }

  /// Reads a note from a name; nil for another text.
  internal init?(_ text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, let number = UInt32(first) else { return nil }
    schemaVersion = number
    switch parts.count {
    case 1: next = .unknown
    default: next = parts[1] == "none" ? .none : .identifier(String(parts[1]))
    }
  }

  /// As it stands in a name.
  internal var text: String {
    switch next {
    case .identifier(let end): "\(schemaVersion)-\(end)"
    case .none: "\(schemaVersion)-none"
    case .unknown: "\(schemaVersion)"
    }
  }

  /// Whether the transaction was committed, by what the database has now.
  internal func isCommitted(_ current: UpdateMark) -> Bool {
    switch next {
    case .identifier(let end): return current.identifier.map(Self.end) == end
    // What was replaced has one, and still has it.
    case .none where current.identifier != nil: return false
    case .none, .unknown: return current.schemaVersion != schemaVersion
    }
  }

  /// The last twelve digits, which are random.
  private static func end(of identifier: String) -> String {
    String(identifier.suffix(12).filter { $0 != "-" })
  }
}
