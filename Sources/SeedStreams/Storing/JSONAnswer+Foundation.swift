// For Apple's systems, where every app has Foundation; elsewhere it costs start-up time and memory.
// The tests compile and run this file anyway.
#if canImport(Darwin) || SEED_FOUNDATION
  public import Foundation
  public import SeedTransport
  #if SEED_FOUNDATION
    public import SeedStreams
  #endif

  extension JSONAnswer {
    /// Writes the answer's data into the tables of the database at the URL of a file.
    ///
    /// - Precondition: It is the URL of a file.
    /// - Throws: ``StoringError``; the database is then as it was.
    @discardableResult
    public func store(
      into url: URL, options: StoreOptions = StoreOptions()
    ) throws(StoringError) -> StoreResult {
      precondition(url.isFileURL, "a database is a file")
      return try store(into: url.path, options: options)
    }

    /// Writes the answer's data into the database at the URL of a file, on a thread of its own.
    ///
    /// - Precondition: It is the URL of a file.
    /// - Throws: ``StoringError``; the database is then as it was.
    @discardableResult
    public func store(
      into url: URL, options: StoreOptions = StoreOptions()
    ) async throws -> StoreResult {
      precondition(url.isFileURL, "a database is a file")
      return try await store(into: url.path, options: options)
    }
  }
#endif
