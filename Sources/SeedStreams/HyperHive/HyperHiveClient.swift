internal import SeedFiles
internal import SeedSQLite
package import SeedTransport

/// Fills a database from a HyperHive server, and keeps it up to date.
///
/// Rows, versions and ETags change in one transaction: readers see the rows before a load or those
/// after it. Every method may be called from any task; several loads may run at the same time.
///
/// ```swift
/// let client = HyperHiveClient(
///   HyperHiveServer(
///     host: "https://mobile.example.com", environment: "prod", project: "shop", device: id))
/// try await client.authenticate(user: "guest", password: password)
/// try await client.loadSchema(into: path)
/// try await client.load("fruits", into: path)
/// ```
public final class HyperHiveClient: Sendable {
  /// The server, and the place in it.
  public let server: HyperHiveServer
  internal let session: HyperHiveSession
  internal let files: FileSystem
  internal let clock: RetryClock

  /// A client of a server, which is first asked when somebody logs in.
  public convenience init(_ server: HyperHiveServer) {
    self.init(server, transport: StandardTransport.make())
  }

  /// A client with a transport, a clock and limits of its own.
  package init(
    _ server: HyperHiveServer, transport: any HTTPTransport, clock: RetryClock = .live,
    limits: HTTPLimits = HTTPLimits()
  ) {
    self.server = server
    session = HyperHiveSession(server, transport: transport, limits: limits)
    files = .live
    self.clock = clock
  }

  // MARK: Blocking forms

  /// Logs a user in, on the calling thread.
  ///
  /// - Throws: ``HyperHiveError``.
  package func authenticate(
    user: String, password: String, cancellation: HTTPCancellation
  ) throws(HyperHiveError) -> HyperHiveExchange {
    var exchange = HyperHiveExchange()
    do {
      try session.authenticate(
        user, password, cancellation: cancellation, exchange: &exchange)
      return exchange
    } catch {
      throw HyperHiveError(error, place: server.shownHost, exchange: exchange)
    }
  }

  /// Takes over the server's schema, on the calling thread.
  ///
  /// - Throws: ``HyperHiveError``.
  package func loadSchema(
    into database: String, cancellation: HTTPCancellation
  ) throws(HyperHiveError) -> HyperHiveLoad {
    var exchange = HyperHiveExchange()
    do {
      let schema = try fetchSchema(HyperHiveLoadOptions(), cancellation, &exchange)
      var load = HyperHiveLoad(.whole, exchange: exchange)
      load.warnings = schema.warnings
      let connection = try HyperHiveDatabase.open(database, mode: .create)
      load.tables = try HyperHiveDatabase.transaction(on: connection) {
        try HyperHiveTables(connection).apply(schema) { load.warnings.append($0) }
      }
      load.changedRowCount = Int64(load.tables.count)
      try connection.close()
      return load
    } catch {
      throw HyperHiveError(error, place: database, exchange: exchange)
    }
  }

  internal func fetchSchema(
    _ options: HyperHiveLoadOptions, _ cancellation: HTTPCancellation,
    _ exchange: inout HyperHiveExchange
  ) throws -> HyperHiveSchema {
    try HyperHiveSchema(try fetchSchemaBytes(options, cancellation, &exchange))
  }

  internal func fetchSchemaBytes(
    _ options: HyperHiveLoadOptions, _ cancellation: HTTPCancellation,
    _ exchange: inout HyperHiveExchange
  ) throws -> [UInt8] {
    var retries = HyperHiveRetries(
      session, count: options.retryCount, interval: options.retryInterval, clock: clock,
      cancellation: cancellation)
    return try retries.perform(
      "GET", "schema/", limit: HyperHiveRules.schemaByteCount, exchange: &exchange)
  }

  /// Loads the tables of a resource, on the calling thread.
  ///
  /// - Throws: ``HyperHiveError``.
  package func load(
    _ resource: String, into database: String, options: HyperHiveLoadOptions,
    cancellation: HTTPCancellation
  ) throws(HyperHiveError) -> HyperHiveLoad {
    try options.validate()
    let scope = try HyperHiveScope(
      checking: resource, parameters: options.parameters, isCached: options.isCachedByParameters)
    let loading = TableLoading(self, scope, options, database, cancellation)
    do {
      return try loading.run()
    } catch {
      throw HyperHiveError(error, place: resource, exchange: loading.exchange)
    }
  }
}
