/// Why a stream could not be brought up to date; the database is then as it was.
public struct StreamError: Error, Sendable, Hashable {
  /// The kinds of failure.
  public enum Reason: Sendable, Hashable {
    /// The server cannot be reached, or fails again and again; nothing is wrong on this side.
    case offline(String)
    /// The server wants other credentials than those that it got.
    case unauthorized(url: String)
    /// The server has no such stream.
    case notFound(url: String)
    /// The server must not be spoken to, or says what waiting does not change: its certificate is not
    /// trusted, it redirects to nowhere or to a place that is less safe, or it answers a status such
    /// as 400.
    case refused(String)
    /// The stream names an object that the server does not have, also after its head was read anew.
    case missingObject(sha256: String)
    /// Something on the way changes the bytes: a header says so.
    case contentTransformed(header: String)
    /// An object is not the one that the stream names, also when caches were passed by.
    case digestMismatch(object: String)
    /// The head is not signed with a key that the app trusts.
    case signatureInvalid
    /// The server, or a network that wants a login, answers with a web page in place of the head.
    case webPage(url: String)
    /// What the server sends is not what this version understands, and why.
    case unsupportedFormat(String)
    /// A table or a column that the stream may not write, or does not bring, or brings otherwise.
    case schemaIncompatible(table: String, column: String?)
    /// There is no database.
    case noDatabase(path: String)
    /// The database does not know where in the stream it stands: it was not made by a publisher.
    case notSeeded
    /// The same start anew was asked for twice without anything in between.
    case resetLoop
    /// The server does not bring the database any further.
    case noProgress
    /// There is no room on the disk; how many bytes are needed and free, where that is known.
    case diskFull(needed: Int64?, available: Int64?)
    /// Rows would refer to rows that are not there.
    case foreignKeyViolation([ForeignKeyViolation])
    /// A row breaks a rule of its table, or a trigger refuses it.
    case constraint(table: String, message: String)
    /// SQLite refuses: its extended result code and its words.
    case database(code: Int32, message: String)
    /// The operating system refuses a file of the cache.
    case file(String)
    case cancelled
  }

  /// A row that refers to one that is not there.
  public struct ForeignKeyViolation: Sendable, Hashable {
    /// The table of the row that refers.
    public var table: String
    /// Its rowid; nil in a table without rowids.
    public var rowID: Int64?
    /// The table that it refers to.
    public var parent: String

    /// A violation from its parts.
    public init(table: String, rowID: Int64?, parent: String) {
      self.table = table
      self.rowID = rowID
      self.parent = parent
    }
  }

  /// What stood in the way.
  public var reason: Reason
  /// The stream's name; empty where none is known, as in a database that stands in no stream.
  public var stream: String
  /// What was being done.
  public var phase: StreamPhase
  /// Where the database stands, which the failure did not change; nil where it is not known.
  public var position: StreamPosition?

  /// An error from its parts.
  public init(
    _ reason: Reason, stream: String, phase: StreamPhase, position: StreamPosition? = nil
  ) {
    self.reason = reason
    self.stream = stream
    self.phase = phase
    self.position = position
  }
}
