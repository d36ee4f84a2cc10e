package import SeedFiles

/// The reference server: published streams as static files and by the dynamic protocol.
///
/// For tests and for app developers to try their app against: it serves what a publisher wrote to a
/// directory, keeps no state of its own, and makes go wrong what it is told to. It stops with the
/// last reference.
package final class StreamServer: Sendable {
  #if !canImport(Darwin)
    private let daemon: HTTPDaemon
  #endif
  /// The server's address without a path, such as `http://127.0.0.1:8080`.
  package let url: String
  /// The port it listens on.
  package let port: UInt16

  /// Starts a server for a directory.
  ///
  /// - Parameters:
  ///   - directory: What was published: a folder for each stream.
  ///   - options: Where and how to answer.
  ///   - files: The file system.
  ///   - log: Called with each request when its answer has ended, from several threads.
  /// - Throws: ``ServerError``.
  package init(
    directory: String, options: ServerOptions = ServerOptions(), files: FileSystem = .live,
    log: @escaping @Sendable (ServedRequest) -> Void = { _ in }
  ) throws(ServerError) {
    let kind: FileStatus.Kind?
    do throws(FileError) {
      kind = try files.status(directory)?.kind
    } catch {
      throw ServerError(.unreadable(error), place: directory)
    }
    guard kind == .directory else { throw ServerError(.noDirectory, place: directory) }
    #if canImport(Darwin)
      throw ServerError(.noLibrary, place: "")
    #else
      let routes = ServerRoutes(directory: directory, options: options, files: files)
      daemon = try HTTPDaemon(
        options: options, answer: { routes.answer(to: $0, from: $1) }, log: log)
      port = daemon.port
      url = "http://\(daemon.address):\(daemon.port)"
    #endif
  }

  /// Ends all connections and waits for their threads.
  package func stop() {
    #if !canImport(Darwin)
      daemon.stop()
    #endif
  }
}
