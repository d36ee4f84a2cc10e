package import SeedFiles
package import SeedTransport

/// Answers requests with the files of a folder, so that a stream can be tried without a server.
package struct DirectoryTransport: HTTPTransport {
  private let directory: String
  private let files: FileSystem

  /// The address that stands for the folder; it is never looked up.
  package static var base: HTTPURL {
    HTTPURL(scheme: .http, host: "directory", path: "/")
  }

  /// Answers with the files of a folder.
  ///
  /// - Parameters:
  ///   - directory: The folder's path.
  ///   - files: The file system.
  package init(directory: String, files: FileSystem = .live) {
    self.directory = directory
    self.files = files
  }

  /// Where the file of an address is, for people.
  ///
  /// - Parameter url: An address below ``base``.
  /// - Returns: The file's path.
  package func path(of url: HTTPURL) -> String {
    directory.hasSuffix("/") ? directory + url.path.dropFirst() : directory + url.path
  }

  /// Answers one request.
  ///
  /// - Throws: ``SeedFiles/FileError``, or what a closure throws.
  package func perform(
    _ request: HTTPRequest, cancellation: HTTPCancellation,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let path = path(of: request.url)
    let isOutside = request.url.path.split(separator: "/").contains("..")
    guard !isOutside, let status = try files.status(path), status.kind == .regular else {
      return try onHead(
        HTTPHead(
          status: 404, headers: HTTPHeaders([HTTPField("Content-Length", "0")]), url: request.url))
    }
    var offset: Int64 = 0
    var headers = HTTPHeaders()
    if let range = request.headers["Range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
      let first = Int64(range.dropFirst(6).dropLast()), first < status.byteCount
    {
      offset = first
      headers["Content-Range"] = "bytes \(first)-\(status.byteCount - 1)/\(status.byteCount)"
    }
    headers["Content-Length"] = "\(status.byteCount - offset)"
    try onHead(HTTPHead(status: offset > 0 ? 206 : 200, headers: headers, url: request.url))
    let descriptor = try files.open(path, .read)
    defer { files.close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      if cancellation.isCancelled { throw request.error(.cancelled) }
      let count = try files.readAt(descriptor, path, buffer, offset)
      if count == 0 { return }
      offset += Int64(count)
      try onBody(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
