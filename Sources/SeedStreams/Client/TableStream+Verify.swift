extension TableStream {
  /// Compares the stream's rows with those that were published at the database's position.
  ///
  /// The snapshot and the changes after it are fetched and put together in the cache; nothing is
  /// written to the database. Only what the stream writes is compared, in storage class and bytes.
  /// - Returns: The tables that differ.
  /// - Throws: ``StreamError``, with `noProgress` when what is published no longer leads to the
  ///   database's position; `CancellationError` when the task was cancelled.
  public func verify() async throws -> StreamVerification {
    try await cancellable { cancellation in
      try verifyBlocking(cancellation: cancellation)
    }
  }
}
