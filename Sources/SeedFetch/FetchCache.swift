internal import SeedFiles
internal import SeedModel
internal import SeedTransport

/// Documents by their content, and what was found at which address.
///
/// ```
/// objects/3f/3fa9…e1      a document, named by its SHA-256
/// index/9c1185….json      an address: the document, its ETag, the next page
/// parts/9c1185….part      what has come of a document, with its state beside it
/// ```
/// Any of it may be deleted at any time. No secret is in it: the name of an address is the digest
/// of it without its secrets.
internal struct FetchCache {
  private let directory: String
  private let files: FileSystem

  /// No entry and no state is longer.
  private static let byteLimit = 1 << 20

  internal init(_ directory: String, files: FileSystem) {
    self.directory = directory
    self.files = files
  }

  /// The name of a request: equal for requests that differ in their secrets alone.
  internal static func key(of request: HTTPRequest) -> String {
    var lines = [request.method, request.redaction.withoutSecrets(request.url).text]
    lines += request.headers.fields.map { field in
      field.name.lowercased() + ":" + (field.isConfidential ? Redaction.mask : field.value)
    }.sorted()
    var digest = SHA256Digest()
    for line in lines { Array((line + "\n").utf8).withUnsafeBytes { digest.update($0) } }
    return digest.hexadecimal()
  }

  /// What is known of an address; nil if there is nothing, or its document is gone or damaged.
  internal func entry(_ key: String) throws(FetchError) -> CacheEntry? {
    guard let document = try document(at: path("index", "\(key).json")),
      let entry = CacheEntry(document)
    else { return nil }
    return try hasDocument(entry.sha256, byteCount: entry.byteCount) ? entry : nil
  }

  /// Whether a document is there and undamaged.
  internal func hasDocument(_ sha256: String, byteCount: Int64) throws(FetchError) -> Bool {
    guard Self.isName(sha256) else { return false }
    let digest = try reading { () throws(FileError) in
      try FileDigest.sha256(of: objectPath(sha256), files: files)
    }
    return digest?.hexadecimal == sha256 && digest?.byteCount == byteCount
  }

  /// Whether a text can be the name of a document, and is no path out of the cache.
  internal static func isName(_ sha256: String) -> Bool {
    sha256.utf8.count == 64
      && sha256.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Whether a document is a web page.
  internal func isWebPage(_ sha256: String) throws(FetchError) -> Bool {
    let bytes = try reading { () throws(FileError) in
      try files.contents(of: objectPath(sha256), limit: WebPage.prefixByteCount)
    }
    return WebPage.isBeginning(bytes ?? [])
  }

  internal func write(_ entry: CacheEntry, for key: String) throws(FetchError) {
    let path = try prepare("index", "\(key).json")
    try SmallFile.write(Array(entry.document.text.utf8), to: path, files: files)
  }

  internal func objectPath(_ sha256: String) -> String {
    path("objects", "\(sha256.prefix(2))/\(sha256)")
  }

  /// The file in which a document grows.
  internal func part(_ key: String) throws(FetchError) -> PartFile {
    let path = try prepare("parts", key)
    return try reading { () throws(FileError) in try PartFile.open(path, files: files) }
  }

  /// What is known of a part from an earlier run.
  internal func state(of part: PartFile) throws(FetchError) -> DownloadState {
    guard let document = try document(at: statePath(part)) else { return DownloadState() }
    var state = DownloadState(
      byteCount: document["size"]?.integerValue, nextPage: document["next"]?.stringValue)
    state.validator =
      document["etag"]?.stringValue.map { .entityTag($0) }
      ?? document["last_modified"]?.stringValue.map { .lastModified($0) }
    return state
  }

  /// Keeps what a later run needs to go on with a part.
  internal func write(_ state: DownloadState, of part: PartFile) throws(FetchError) {
    var members: [JSONValue.Member] = []
    switch state.validator {
    case .entityTag(let text): members.append(.init("etag", .string(text)))
    case .lastModified(let text): members.append(.init("last_modified", .string(text)))
    case nil: break
    }
    members.append(.init("size", .integer(state.byteCount)))
    members.append(.init("next", .string(state.nextPage)))
    let text = Array(JSONValue.object(members).text.utf8)
    try SmallFile.write(text, to: statePath(part), files: files)
  }

  /// Deletes a part from which no later run can go on, since it holds nothing.
  internal func dropIfEmpty(_ part: PartFile) throws(FetchError) {
    guard part.byteCount == 0 else { return }
    try reading { () throws(FileError) in
      try part.remove()
      try dropState(of: part)
    }
  }

  private func dropState(of part: PartFile) throws(FileError) {
    if try files.linkStatus(statePath(part)) != nil { try files.unlink(statePath(part)) }
  }

  /// Puts a complete part among the documents.
  internal func keep(
    _ part: PartFile
  ) throws(FetchError) -> (sha256: String, byteCount: Int64) {
    let sha256 = try reading { () throws(FileError) in try part.sha256() }
    _ = try prepare("objects", "\(sha256.prefix(2))/\(sha256)")
    try reading { () throws(FileError) in
      try part.rename(to: objectPath(sha256))
      try dropState(of: part)
    }
    return (sha256, part.byteCount)
  }

  private func statePath(_ part: PartFile) -> String { part.path + ".json" }

  private func path(_ folder: String, _ name: String) -> String {
    "\(directory)/\(folder)/\(name)"
  }

  /// The path of a file whose directory is there afterwards.
  private func prepare(_ folder: String, _ name: String) throws(FetchError) -> String {
    let path = path(folder, name)
    try reading { () throws(FileError) in
      try files.createDirectories(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
    }
    return path
  }

  private func document(at path: String) throws(FetchError) -> JSONValue? {
    let bytes = try reading { () throws(FileError) in
      try files.contents(of: path, limit: Self.byteLimit)
    }
    // Whatever is damaged counts as absent: the cache is no truth.
    return bytes.flatMap { try? JSONValue(parsing: $0) }
  }

  private func reading<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(FetchError) -> Value {
    do throws(FileError) {
      return try body()
    } catch {
      throw FetchError(.cache(error), place: error.path)
    }
  }
}
