package import SeedFiles
package import SeedSQLite
package import SeedStreams

/// Why a database is not published; the head is then the one from before.
package struct StreamPublishError: Error, Sendable, Equatable {
  /// What is wrong.
  package enum Reason: Sendable, Equatable {
    /// There is no such database.
    case noDatabase
    /// It is a store of Core Data, which keeps books of its rows that a stream knows nothing of.
    case coreDataStore
    /// The end of the database is missing: it should have so many bytes.
    case cutOff(byteCount: Int64, expected: Int64)
    /// SQLite refuses.
    case database(SQLiteError)
    /// The tables of the stream cannot be told, or cannot be published.
    case tables(PublishedTableError)
    /// Nobody says which stream is meant, and the directory has others than the assumed one.
    case unnamedStream(published: [String])
    /// There is no file with a key to sign with.
    case noSigningKey
    /// The file has no key of the kind.
    case unusableSigningKey
    /// There is no file with keys to trust.
    case noTrustedKey
    /// The file has no key of the kind, or one of another kind.
    case unusableTrustedKey
    /// The file has the key that signs, and not the one to trust.
    case privateKeyAsTrusted
    /// The system cannot sign.
    case noSignatures
    /// The head bears a signature, and the one that takes its place would not.
    case signedHead
    /// A row without a key.
    case nullInKey(table: String, column: String)
    /// NULL in a column that databases in the field declare NOT NULL, in the row with that key.
    case nullInRequired(table: String, column: String, key: String)
    /// A text that is not UTF-8, in the row with that key.
    case invalidText(table: String, column: String, key: String)
    /// A row of more bytes than a client takes.
    case rowTooLong(table: String, key: String)
    /// A key is compared in a way that only some application knows.
    case unknownCollation(table: String, collation: String)
    /// A key is compared in another way than it was.
    case keyComparedOtherwise(table: String)
    /// A table that clients know is gone.
    case tableGone(String)
    /// A column that clients know is gone.
    case columnGone(table: String, column: String)
    /// A column has another affinity.
    case columnRetyped(table: String, column: String, old: String, new: String)
    /// The rows of a table are told apart by other columns.
    case keyChanged(table: String, old: [String], new: [String])
    /// A constraint that clients know is gone, or is another one.
    case constraintGone(table: String, constraint: String)
    /// An index or a generated column needs a function that SQLite does not run for a file.
    case untrustedFunction(String)
    /// A row refers to one that is not there; the key is nil where SQLite does not tell the row.
    case danglingReference(table: String, key: String?, parent: String)
    /// The database stands elsewhere in the stream than the head, or in another history.
    case otherPosition(database: StreamPosition, head: StreamPosition)
    /// The database stands somewhere in a stream of which the directory knows nothing.
    case unknownHistory(StreamPosition)
    /// The head is not what this version reads.
    case unusableHead(String)
    /// The head is that of another stream.
    case otherStream(String)
    /// An object that the head names is missing or damaged.
    case unusableObject(sha256: String, String)
    /// The listed segments do not lead from the snapshot to the head.
    case brokenWay(from: Int64, to: Int64)
    /// Another publisher holds the stream.
    case locked
    /// A file cannot be read.
    case file(FileError)
    /// A file cannot be written.
    case publish(PublishError)
  }

  package var reason: Reason
  /// The file or the folder that it is about.
  package var path: String

  /// An error about a file or a folder.
  package init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }

  /// Runs something that asks SQLite, about a file.
  static func inDatabase<Result>(
    _ path: String, _ body: () throws(SQLiteError) -> Result
  ) throws(StreamPublishError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw StreamPublishError(.database(error), path: path)
    }
  }

  /// Runs something that reads a file.
  static func inFile<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(StreamPublishError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw StreamPublishError(.file(error), path: error.path)
    }
  }
}
