internal import SeedModel
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
    return try StoreTransaction(path: path, options: options).run(content)
  }

  /// Writes the answer's data into the tables of a database, on a thread of its own.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - options: What becomes of rows that are there.
  /// - Returns: What has changed.
  /// - Throws: As ``store(into:options:)-(String,StoreOptions)`` does. A task that is cancelled
  ///   meanwhile stores all the same: the answer is there.
  @discardableResult
  public func store(
    into path: String, options: StoreOptions = StoreOptions()
  ) async throws -> StoreResult {
    let store: @Sendable () throws -> StoreResult = { try self.store(into: path, options: options) }
    do {
      return try await TransportThread.run(store)
    } catch let failure as TransportThread.Failure {
      throw StoringError(
        .database("the system starts no thread", code: failure.code), path: path)
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
