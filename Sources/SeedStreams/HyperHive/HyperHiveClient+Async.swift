internal import SeedTransport

extension HyperHiveClient {
  /// Logs a user in; user and password are kept in memory for a new token when one is wanted.
  ///
  /// - Parameters:
  ///   - user: The user's name.
  ///   - password: The password.
  /// - Returns: What passed between client and server.
  /// - Throws: ``HyperHiveError``.
  @discardableResult
  public func authenticate(user: String, password: String) async throws -> HyperHiveExchange {
    try await cancellable { client, cancellation in
      try client.authenticate(user: user, password: password, cancellation: cancellation)
    }
  }

  /// Takes over the server's schema: makes the tables of all resources and adds new columns.
  ///
  /// - Parameter database: The path of the database, which is made if it is missing.
  /// - Returns: The tables that were made.
  /// - Throws: ``HyperHiveError``, among them ``HyperHiveError/Reason/changedType(table:column:from:to:)``.
  @discardableResult
  public func loadSchema(into database: String) async throws -> HyperHiveLoad {
    try await cancellable { client, cancellation in
      try client.loadSchema(into: database, cancellation: cancellation)
    }
  }

  /// Loads the tables of a resource, or what has changed in them.
  ///
  /// - Parameters:
  ///   - resource: The resource.
  ///   - database: The path of the database, which is made if it is missing.
  ///   - options: What to ask for and how.
  /// - Returns: What came.
  /// - Throws: ``HyperHiveError``; the database is then as it was.
  @discardableResult
  public func load(
    _ resource: String, into database: String,
    options: HyperHiveLoadOptions = HyperHiveLoadOptions()
  ) async throws -> HyperHiveLoad {
    try await cancellable { client, cancellation in
      try client.load(resource, into: database, options: options, cancellation: cancellation)
    }
  }

  /// Runs a form that blocks on a thread of its own, and ends it when the task ends.
  private func cancellable<Value: Sendable>(
    _ body: @escaping @Sendable (HyperHiveClient, HTTPCancellation) throws -> Value
  ) async throws -> Value {
    let cancellation = HTTPCancellation()
    return try await withTaskCancellationHandler {
      try await TransportThread.run { try body(self, cancellation) }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
