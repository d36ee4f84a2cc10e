internal import SeedFiles
internal import SeedStreams

/// Serves the head and the objects of published streams, and no other file.
internal struct StaticFiles: Sendable {
  private let directory: String
  private let files: FileSystem

  /// The largest head that is served: its tag is a digest of all of it.
  internal static let headByteLimit = 8 << 20

  internal init(directory: String, files: FileSystem) {
    self.directory = directory
    self.files = files
  }

  /// The answer to a request for a file.
  internal func answer(to request: ServerRequest, _ target: RequestTarget) -> ServerAnswer {
    do {
      let parts = target.parts
      guard parts.count >= 3, ServerRoutes.isVersion(parts[1]) else { return .notFound() }
      let folder = "\(directory)/\(parts[0])/\(parts[1])"
      if parts.count == 3, parts[2] == StreamLayout.head {
        return try head(of: folder, request)
      }
      guard parts.count == 5, parts[2] == "o", Self.isDigest(parts[4]),
        parts[3] == parts[4].prefix(2)
      else { return .notFound() }
      return try object(parts[4], in: folder, request)
    } catch {
      let error = error as? FileError
      if error?.isMissing == true { return .notFound() }
      return .problem(500, title: "Internal server error", detail: error?.reason)
    }
  }

  /// Whether a text is a SHA-256: 64 digits in lower case.
  internal static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private func head(of folder: String, _ request: ServerRequest) throws -> ServerAnswer {
    let path = "\(folder)/\(StreamLayout.head)"
    let bytes = try files.bytes(of: path, limit: Self.headByteLimit + 1)
    guard bytes.count <= Self.headByteLimit else {
      return .problem(500, title: "Internal server error", detail: "the head is too large")
    }
    var digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    let tag = "\"\(digest.hexadecimal().prefix(32))\""
    let headers = [
      ("Cache-Control", "public, max-age=30, stale-while-revalidate=60, stale-if-error=86400"),
      ("ETag", tag),
    ]
    if isKnown(tag, request) { return ServerAnswer(304, headers) }
    return ServerAnswer(
      200, headers + [("Content-Type", "application/json")], body: BytesBody(bytes))
  }

  private func object(
    _ sha256: String, in folder: String, _ request: ServerRequest
  ) throws -> ServerAnswer {
    let path = "\(folder)/\(StreamLayout.object(sha256))"
    // Not followed if it is a link, and not waited for if it is a pipe.
    let descriptor = try files.open(path, .readNoFollow)
    var isKept = false
    defer { if !isKept { files.close(descriptor) } }
    let status = try files.descriptorStatus(descriptor, path)
    guard status.kind == .regular else { return .notFound() }
    let tag = "\"\(sha256)\""
    var headers = [
      ("Cache-Control", "public, max-age=31536000, immutable, no-transform"), ("ETag", tag),
      ("Accept-Ranges", "bytes"),
    ]
    if isKnown(tag, request) { return ServerAnswer(304, headers) }
    headers.append(("Content-Type", "application/octet-stream"))
    let size = status.byteCount
    switch range(of: request, tag: tag, size) {
    case .whole:
      isKept = true
      return ServerAnswer(
        200, headers, body: FileBody(descriptor, path, 0..<size, files: files))
    case .part(let range):
      isKept = true
      headers.append(
        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
      return ServerAnswer(206, headers, body: FileBody(descriptor, path, range, files: files))
    case .unsatisfiable:
      return .problem(
        416, title: "Range not satisfiable", headers: [("Content-Range", "bytes */\(size)")])
    }
  }

  /// Whether the client has the version with the tag already (RFC 9110, section 13.1.2).
  private func isKnown(_ tag: String, _ request: ServerRequest) -> Bool {
    guard let known = request.headers["if-none-match"] else { return false }
    return known.split(separator: ",").contains { item in
      var item = item.drop { $0 == " " }
      if item.hasPrefix("W/") { item = item.dropFirst(2) }
      while item.last == " " { item.removeLast() }
      return item == tag || item == "*"
    }
  }

  private func range(of request: ServerRequest, tag: String, _ size: Int64) -> ByteRange {
    guard let range = request.headers["range"] else { return .whole }
    // The rest is of use only to those who have the beginning of this very version.
    if let condition = request.headers["if-range"], condition != tag { return .whole }
    return ByteRange(range, of: size)
  }
}
