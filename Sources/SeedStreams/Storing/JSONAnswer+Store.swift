internal import SeedMerge
internal import SeedModel
internal import SeedSQLite
public import SeedTransport

extension JSONAnswer {
  /// Writes the answer's data into the tables of a database, in one transaction.
  ///
  /// Tables, columns and types follow the rules of `seed build`, which makes the same tables of the
  /// same answer: an array is a table, each item a row; an object is a table with one row; what is in
  /// them has tables of its own that refer to them. A table that is there keeps its columns; what it
  /// lacks is added, and values that do not fit a column's declared type are an error. Nothing is
  /// written unless all is.
  ///
  /// The calling thread waits. The database is made if it is not there; the app may have it open.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - options: What becomes of rows that are there.
  /// - Returns: What has changed.
  /// - Throws: ``StoringError``; the database is then as it was.
  @discardableResult
  public func store(
    into path: String, options: StoreOptions = StoreOptions()
  ) throws(StoringError) -> StoreResult {
    guard let document = stored else { return StoreResult() }
    switch document.value {
    case .object, .array: break
    default: throw StoringError(.noRecords, path: path)
    }
    guard !document.hasNUL else { throw StoringError(.nulCharacter, path: path) }
    let name = options.recordTable ?? recordName
    let content = AnswerTables(
      AnswerShape(document, name: name), dropsStructure: envelope != nil)
    do throws(SQLiteError) {
      let connection = try Connection(path: path, mode: .create)
      connection.setBusyTimeout(milliseconds: options.busyTimeout.wholeMilliseconds)
      try connection.execute(
        "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")
      let writer = AnswerWriter(content, options: options, connection: connection)
      let outcome = Result { () throws(StoringError) in try writer.run() }
      if case .failure = outcome { try connection.execute("ROLLBACK") }
      let result = outcome
      switch result {
      case .success(let counts):
        try connection.execute("COMMIT")
        return counts
      case .failure(let error): throw error
      }
    } catch {
      throw StoringError(error, table: nil, path: path)
    }
  }

  /// The answer's data as a build sees them; nil when there are none.
  private var stored: LocatedJSON? {
    guard let envelope else { return document.value == .null ? nil : document }
    var members = document.members
    if let data = envelope.data {
      members = members.filter { $0.name.value == data && $0.value.value != .null }
    } else {
      members = members.filter { ![envelope.success, envelope.message].contains($0.name.value) }
    }
    return members.isEmpty ? nil : LocatedJSON(.object(members), at: document.location)
  }

  /// What records without a name are called: the last part of the path, without its extension.
  private var recordName: String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return name.isEmpty ? "record" : name
    }
    return String(name[..<dot])
  }
}

extension LocatedJSON {
  /// Whether a text or a name has U+0000 in it.
  fileprivate var hasNUL: Bool {
    switch value {
    case .string(let text): text.utf8.contains(0)
    case .array(let items): items.contains(where: \.hasNUL)
    case .object(let members):
      members.contains { $0.name.value.utf8.contains(0) || $0.value.hasNUL }
    case .null, .bool, .integer, .number: false
    }
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int {
    Int(clamping: components.seconds) * 1000
      + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
