internal import Dispatch
internal import Foundation
internal import SeedFiles
internal import SeedModel
internal import SeedStreams
internal import SeedTransport

/// The HyperHive framework by its iOS names, on top of ``SeedStreams/HyperHiveClient``.
///
/// Each handler gets an object that casts to `NSDictionary`. A method without `Async` in its name
/// blocks, and calls its handler before it returns. All methods may be called from any thread.
public final class HHFWController: Sendable {
  private struct State {
    var client: HyperHiveClient?
    var downloadPath: String?
    var usesDownload = false
  }

  private static let shared = HHFWController()
  private let state = Lock(State())

  internal init() {}

  /// The one controller of the app.
  public static func sharedInstance() -> HHFWController { shared }

  /// Says which server is meant, and which place in it; who was logged in no longer is.
  ///
  /// - Parameters:
  ///   - apiVersion: The version of the server's interface, such as `v1`.
  ///   - host: The server's address; a slash at its end does not matter.
  ///   - environment: The environment that the project is in.
  ///   - project: The project.
  ///   - device: The name by which the server knows this device.
  public func initWithCredentials(
    _ apiVersion: String, host: String, environment: String, project: String, device: String
  ) {
    let client = HyperHiveClient(
      HyperHiveServer(
        apiVersion: apiVersion, host: host, environment: environment, project: project,
        device: device))
    state.withLock { $0.client = client }
  }

  /// Logs a user in.
  ///
  /// - Parameters:
  ///   - login: The user's name.
  ///   - password: The password, which no result has in it.
  ///   - handler: Gets the result, before this returns.
  public func auth(_ login: String, password: String, _ handler: @escaping (Any?) -> Void) {
    let request = HHFWResult.Request("auth", [("login", .string(login))])
    handler(
      perform(request) { client in
        let exchange = try client.authenticate(
          user: login, password: password, cancellation: HTTPCancellation())
        return HHFWResult.success(request, exchange)
      })
  }

  /// Opens or makes a database.
  ///
  /// - Parameters:
  ///   - path: A bare name, `/Documents/NAME` or an absolute path.
  ///   - key: Must be empty: the system's SQLite has no encryption.
  /// - Returns: Whether the database can be used.
  @discardableResult
  public func openBase(_ path: String, key: String) -> Bool {
    guard key.isEmpty, case .success(let path) = Result(catching: { try DatabasePath(path).text })
    else { return false }
    return HyperHiveDatabase(path: path).makeIfMissing()
  }

  /// Takes over the server's schema: makes the tables of all resources.
  ///
  /// - Parameters:
  ///   - database: A bare name, `/Documents/NAME` or an absolute path.
  ///   - handler: Gets the result, before this returns.
  public func resources(_ database: String, handler: @escaping (Any?) -> Void) {
    let request = HHFWResult.Request("resources", [("database", .string(database))])
    handler(
      perform(request) { client in
        let path = try DatabasePath(database).text
        let load = try client.loadSchema(into: path, cancellation: HTTPCancellation())
        return HHFWResult.success(request, load, database: path)
      })
  }

  // MARK: Downloads

  /// Says where what came of unfinished loads is kept.
  ///
  /// - Parameter path: A folder, which is made when it is needed: a bare name, `/Documents/NAME` or an
  ///   absolute path.
  public func setDownloadPath(_ path: String) {
    state.withLock { $0.downloadPath = path.isEmpty ? nil : path }
  }

  /// Says whether broken loads go on where they were, in later calls, too.
  ///
  /// - Parameter value: Whether they do.
  public func useDownload(_ value: Bool) {
    state.withLock { $0.usesDownload = value }
  }

  // MARK: Tables

  /// Loads the tables of a resource, or what has changed in them.
  ///
  /// - Parameters:
  ///   - resource: The resource.
  ///   - withCache: Whether the tables are named after the parameters, too.
  ///   - transactionID: An id for the server, which answers a repetition as it did before.
  ///   - tableCallParams: The database, repetitions, and the input parameters.
  ///   - handler: Gets the result, before this returns.
  public func tableStream(
    _ resource: String, withCache: Bool, transactionID: String?,
    tableCallParams: RequestCallParams?, handler: @escaping (Any?) -> Void
  ) {
    var call = TableCall("tableStream", resource, transactionID, tableCallParams)
    call.isCached = withCache
    handler(run(call))
  }

  /// As ``tableStream(_:withCache:transactionID:tableCallParams:handler:)``, but returns at once.
  ///
  /// - Parameters:
  ///   - resource: The resource.
  ///   - withCache: Whether the tables are named after the parameters, too.
  ///   - transactionID: An id for the server, which answers a repetition as it did before.
  ///   - tableCallParams: The database, repetitions, and the input parameters, as they are now.
  ///   - handler: Gets the result on the main queue.
  public func tableStreamAsync(
    _ resource: String, withCache: Bool, transactionID: String?,
    tableCallParams: RequestCallParams?, handler: @escaping (Any?) -> Void
  ) {
    var call = TableCall("tableStreamAsync", resource, transactionID, tableCallParams)
    call.isCached = withCache
    let started = call
    let box = HandlerBox(handler)
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      let result = ResultBox(run(started))
      DispatchQueue.main.async { box.handler(result.value) }
    }
  }

  /// Loads what has changed in the tables of a resource; all of it when nothing is loaded.
  ///
  /// - Parameters:
  ///   - resource: The resource.
  ///   - deltaStreamCallParams: The database, repetitions, and the input parameters.
  ///   - handler: Gets the result, before this returns.
  public func deltaStream(
    _ resource: String, deltaStreamCallParams: RequestCallParams?,
    handler: @escaping (Any?) -> Void
  ) {
    var call = TableCall("deltaStream", resource, nil, deltaStreamCallParams)
    call.extent = .changes
    handler(run(call))
  }

  /// Loads the whole tables of a resource, whatever is loaded.
  ///
  /// - Parameters:
  ///   - resource: The resource.
  ///   - transactionID: An id for the server, which answers a repetition as it did before.
  ///   - tableCallParams: The database, repetitions, and the input parameters.
  ///   - handler: Gets the result, before this returns.
  public func table(
    _ resource: String, transactionID: String?, tableCallParams: RequestCallParams?,
    handler: @escaping (Any?) -> Void
  ) {
    var call = TableCall("table", resource, transactionID, tableCallParams)
    call.extent = .whole
    call.repeats = false
    handler(run(call))
  }

  /// As ``table(_:transactionID:tableCallParams:handler:)``, with repetitions.
  ///
  /// - Parameters:
  ///   - resource: The resource.
  ///   - transactionID: An id for the server, which answers a repetition as it did before.
  ///   - tableCallParams: The database, repetitions, and the input parameters.
  ///   - handler: Gets the result, before this returns.
  public func retryTable(
    _ resource: String, transactionID: String?, tableCallParams: RequestCallParams?,
    handler: @escaping (Any?) -> Void
  ) {
    var call = TableCall("retryTable", resource, transactionID, tableCallParams)
    call.extent = .whole
    handler(run(call))
  }

  private func run(_ call: TableCall) -> NSDictionary {
    let settings = state.withLock { ($0.usesDownload, $0.downloadPath) }
    return perform(call.request) { client in
      let path = try DatabasePath(call.database).text
      var options = try call.options()
      options.resumes = settings.0
      options.downloadFolder = try settings.1.map { try DatabasePath(folder: $0).text }
      let load = try client.load(
        call.resource, into: path, options: options, cancellation: HTTPCancellation())
      return HHFWResult.success(call.request, load, database: path)
    }
  }

  // MARK: The database

  /// The names that the tables of a resource have in a database.
  ///
  /// - Parameters:
  ///   - database: A bare name, `/Documents/NAME` or an absolute path.
  ///   - resourceName: The resource, exactly.
  ///   - requestParams: The input parameters as JSON; "" is none.
  ///   - tableName: The table of the answer; "" is all of them.
  /// - Returns: A result as JSON, its records with a `name` each: those cached by parameters first.
  public func getTablesName(
    _ database: String, resourceName: String, requestParams: String, tableName: String
  ) -> String? {
    let request = HHFWResult.Request(
      "getTablesName",
      [
        ("database", .string(database)), ("resourceName", .string(resourceName)),
        ("requestParams", .string(requestParams)), ("tableName", .string(tableName)),
      ])
    return text(request) {
      let path = try DatabasePath(database).text
      let names = try HyperHiveDatabase(path: path).tableNames(
        ofResource: resourceName, parameters: requestParams, table: tableName)
      return HHFWResult.success(
        request, database: path, changed: 0, records: names.map { ["name": .string($0)] })
    }
  }

  /// Runs one SQL statement.
  ///
  /// - Parameters:
  ///   - database: A bare name, `/Documents/NAME` or an absolute path.
  ///   - query: One statement, not one that attaches other databases.
  /// - Returns: A result as JSON with the rows as records; blobs are Base64.
  public func query(_ database: String, query: String) -> String? {
    let request = HHFWResult.Request(
      "query", [("database", .string(database)), ("query", .string(query))])
    return text(request) {
      let path = try DatabasePath(database).text
      let answer = try HyperHiveDatabase(path: path).run(query)
      return HHFWResult.success(
        request, database: path, changed: answer.changedRowCount, records: answer.records)
    }
  }

  /// Drops the tables that are cached by some parameters.
  ///
  /// - Parameters:
  ///   - database: A bare name, `/Documents/NAME` or an absolute path.
  ///   - resourceName: The resource, exactly.
  ///   - requestParams: The input parameters as JSON; "" is none.
  /// - Returns: A result as JSON; its number of changes is that of the tables.
  @discardableResult
  public func dropCache(
    _ database: String, resourceName: String, requestParams: String
  ) -> String? {
    let request = HHFWResult.Request(
      "dropCache",
      [
        ("database", .string(database)), ("resourceName", .string(resourceName)),
        ("requestParams", .string(requestParams)),
      ])
    return text(request) {
      let path = try DatabasePath(database).text
      let names = try HyperHiveDatabase(path: path).dropCache(
        ofResource: resourceName, parameters: requestParams)
      return HHFWResult.success(
        request, database: path, changed: Int64(names.count),
        records: names.map { ["name": .string($0)] })
    }
  }

  // MARK: Results

  private func perform(
    _ request: HHFWResult.Request, _ body: (HyperHiveClient) throws -> HHFWResult
  ) -> NSDictionary {
    result(request) {
      guard let client = state.withLock({ $0.client }) else {
        throw HyperHiveError.notInitialized
      }
      return try body(client)
    }.dictionary
  }

  private func text(_ request: HHFWResult.Request, _ body: () throws -> HHFWResult) -> String {
    result(request, body).text
  }

  private func result(
    _ request: HHFWResult.Request, _ body: () throws -> HHFWResult
  ) -> HHFWResult {
    do {
      return try body()
    } catch {
      return HHFWResult.failure(request, error)
    }
  }
}

/// Carries a handler to the main queue, where alone it is called.
private final class HandlerBox: @unchecked Sendable {
  let handler: (Any?) -> Void
  init(_ handler: @escaping (Any?) -> Void) { self.handler = handler }
}

/// Carries a result, which nobody changes, to the main queue.
private final class ResultBox: @unchecked Sendable {
  let value: NSDictionary
  init(_ value: NSDictionary) { self.value = value }
}
