internal import SeedFiles
package import SeedSQLite
package import SeedTransport

/// Tables of a HyperHive server as they were fetched, to be put into a database that is built.
///
/// Names, versions and ETags go with them, so that the first load in an app that installs the
/// database asks for what has changed since.
package final class HyperHiveSnapshot: Sendable {
  /// A resource with its parameters.
  package struct Resource: Sendable, Hashable {
    package var name: String
    package var isCachedByParameters: Bool
    /// The text of a JSON object; nil for none.
    package var parameters: String?

    /// A resource to fetch.
    package init(_ name: String, isCachedByParameters: Bool, parameters: String? = nil) {
      self.name = name
      self.isCachedByParameters = isCachedByParameters
      self.parameters = parameters
    }
  }

  private struct Document {
    var scope: HyperHiveScope
    var spool: HyperHiveSpool
    var state: HyperHiveCatalog.State
  }

  private let server: HyperHiveServer
  private let schema: HyperHiveSchema
  private let documents: Lock<[Document]>
  /// What is doubtful about the schema, in words.
  package var warnings: [String] { schema.warnings }
  /// SHA-256 over schema, documents, versions and ETags, in 64 hexadecimal digits.
  package let sha256: String
  /// The bytes of schema and documents.
  package let byteCount: Int64

  private init(
    _ server: HyperHiveServer, _ schema: HyperHiveSchema, _ documents: sending [Document],
    sha256: String, byteCount: Int64
  ) {
    self.server = server
    self.schema = schema
    self.documents = Lock(documents)
    self.sha256 = sha256
    self.byteCount = byteCount
  }

  /// Fetches the schema and the tables of some resources, as the user who has logged in.
  ///
  /// - Parameters:
  ///   - resources: What to fetch.
  ///   - client: A client.
  ///   - retryCount: How often a failed request is repeated.
  ///   - retryInterval: How long to wait before each repetition.
  ///   - cancellation: Ends it from another thread.
  /// - Returns: What was fetched, in files without names.
  /// - Throws: ``HyperHiveError``.
  package static func fetch(
    _ resources: [Resource], with client: HyperHiveClient, retryCount: Int,
    retryInterval: Duration, cancellation: HTTPCancellation = HTTPCancellation()
  ) throws(HyperHiveError) -> HyperHiveSnapshot {
    var options = HyperHiveLoadOptions()
    options.retryCount = retryCount
    options.retryInterval = retryInterval
    var exchange = HyperHiveExchange()
    do {
      let bytes = try client.fetchSchemaBytes(options, cancellation, &exchange)
      let schema = try HyperHiveSchema(bytes)
      var digest = SHA256Digest()
      bytes.withUnsafeBytes { digest.update($0) }
      var byteCount = Int64(bytes.count)
      var documents: [Document] = []
      for resource in resources {
        let document = try fetch(resource, client, options, cancellation, &exchange)
        var text = "\n\(resource) \(document.state)\n"
        text.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
        try update(&digest, document.spool)
        byteCount += document.spool.byteCount
        documents.append(document)
      }
      return HyperHiveSnapshot(
        client.server, schema, documents, sha256: digest.hexadecimal(), byteCount: byteCount)
    } catch {
      throw HyperHiveError(error, place: client.server.shownHost, exchange: exchange)
    }
  }

  private static func fetch(
    _ resource: Resource, _ client: HyperHiveClient, _ options: HyperHiveLoadOptions,
    _ cancellation: HTTPCancellation, _ exchange: inout HyperHiveExchange
  ) throws -> Document {
    let scope = try HyperHiveScope(
      checking: resource.name, parameters: resource.parameters,
      isCached: resource.isCachedByParameters)
    let identity = HyperHiveTransfer.identity(scope, .whole, server: client.server)
    let spool = try HyperHiveSpool(
      folder: nil, name: "", isKept: false, expected: identity, files: client.files)
    var retries = HyperHiveRetries(
      client.session, count: options.retryCount, interval: options.retryInterval,
      clock: client.clock, cancellation: cancellation)
    let transfer = HyperHiveTransfer(
      client.session, scope, .whole, transactionID: nil, spool: spool, exchange: exchange)
    defer { exchange = transfer.exchange }
    guard case .document(let tag, let version) = try transfer.run(&retries) else {
      throw HyperHiveError(
        .malformedAnswer("nothing has changed since nothing was loaded"), place: resource.name)
    }
    let state = HyperHiveCatalog.State(
      entityTag: tag, version: version.flatMap(HyperHiveRules.version).map(\.reached))
    return Document(scope: scope, spool: spool, state: state)
  }

  private static func update(
    _ digest: inout SHA256Digest, _ spool: HyperHiveSpool
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = try spool.read(buffer, offset)
      if count == 0 { return }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }

  /// A table with the number of its rows.
  package struct Table: Sendable, Hashable {
    package var name: String
    package var rowCount: Int64
  }

  /// Makes and fills the tables in a transaction that the caller has begun.
  ///
  /// - Parameters:
  ///   - connection: The database.
  ///   - observer: Sees the rows.
  ///   - onWarning: Called for what is doubtful about the answers.
  /// - Returns: The tables by name, those of resources that were not fetched among them, empty.
  /// - Throws: ``HyperHiveError``.
  package func fill(
    _ connection: Connection, observer: (any SnapshotObserver)? = nil,
    onWarning: (String) -> Void = { _ in }
  ) throws(HyperHiveError) -> [Table] {
    let result = documents.withLock { documents in
      Result { () throws -> [Table] in
        _ = try HyperHiveTables(connection).apply(schema, onWarning: onWarning)
        let catalog = HyperHiveCatalog(connection: connection)
        for document in documents {
          let storage = try AnswerStorage(
            connection, scope: document.scope, request: .whole, observer: observer)
          try storage.store(
            AnswerReader(resource: document.scope.resource, read: document.spool.read))
          try catalog.setState(document.state, of: document.scope, server: server.identity)
          storage.warnings.forEach(onWarning)
        }
        return try catalog.localTables().map { name in
          Table(
            name: name,
            rowCount: try connection.scalarInteger(
              "SELECT count(*) FROM \(SQLiteName.quoted(name))") ?? 0)
        }
      }
    }
    do {
      return try result.get()
    } catch {
      throw HyperHiveError(error, place: server.shownHost, exchange: HyperHiveExchange())
    }
  }
}
