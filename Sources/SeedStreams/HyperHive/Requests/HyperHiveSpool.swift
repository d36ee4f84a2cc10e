internal import SeedFiles
internal import SeedModel
internal import SeedTransport

/// What has to be known about a spool to go on with it.
///
/// Neither tokens nor passwords are in it.
internal struct SpoolSidecar: Hashable {
  internal var server: String
  internal var resource: String
  /// The digest of the parameters.
  internal var parameters: String
  /// What was asked for: the header `X-Delta`, or `whole`.
  internal var request: String
  internal var entityTag: String
  /// The header `Content-Version` of the answer.
  internal var contentVersion: String?
  /// The bytes of the whole document, where the server said it.
  internal var byteCount: Int64?

  internal var bytes: [UInt8] {
    let json: JSONValue = [
      "bytes": .integer(byteCount), "contentVersion": .string(contentVersion),
      "etag": .string(entityTag), "format": 1, "parameters": .string(parameters),
      "request": .string(request), "resource": .string(resource), "server": .string(server),
    ]
    return Array(json.text.utf8)
  }

  /// A sidecar as it was written; nil for anything else.
  internal static func read(_ bytes: [UInt8]) -> SpoolSidecar? {
    guard
      case .success(let json) = Result(catching: { () throws(JSONError) in
        try JSONValue(parsing: bytes)
      }),
      json["format"] == 1, let server = json["server"]?.stringValue,
      let resource = json["resource"]?.stringValue,
      let parameters = json["parameters"]?.stringValue, let request = json["request"]?.stringValue,
      let entityTag = json["etag"]?.stringValue
    else { return nil }
    return SpoolSidecar(
      server: server, resource: resource, parameters: parameters, request: request,
      entityTag: entityTag, contentVersion: json["contentVersion"]?.stringValue,
      byteCount: json["bytes"]?.integerValue)
  }
}

/// The document of a load while it comes in: in the download folder, from which a later call goes on,
/// or in a file without a name that vanishes with the call.
internal final class HyperHiveSpool {
  private enum Storage {
    case part(PartFile)
    case temporary(SpoolFile)
  }

  private var storage: Storage
  private let folder: String?
  private let files: FileSystem
  /// What the bytes are; nil while they cannot be resumed.
  internal private(set) var sidecar: SpoolSidecar?

  private static let sidecarByteCount = 64 << 10

  /// Opens the spool of a load, with what an earlier call has left of the same document.
  ///
  /// - Parameters:
  ///   - folder: The download folder, made if it is missing.
  ///   - name: The name of the load's files in it.
  ///   - isKept: Whether a later call may go on.
  ///   - expected: What the load is about, of which the tag and what came with it do not matter.
  ///   - files: The file operations.
  /// - Throws: ``FileError``.
  internal init(
    folder: String?, name: String, isKept: Bool, expected: SpoolSidecar, files: FileSystem
  ) throws {
    self.files = files
    self.folder = folder
    if let folder { try files.createDirectories(folder) }
    guard isKept, let folder else {
      storage = .temporary(try SpoolFile(in: folder, files: files))
      return
    }
    let part = try PartFile.open(folder + "/" + name, files: files)
    storage = .part(part)
    let bytes = try files.contents(of: Self.path(of: part), limit: Self.sidecarByteCount)
    if var found = bytes.flatMap(SpoolSidecar.read), part.byteCount > 0,
      found.byteCount ?? .max >= part.byteCount
    {
      let known = found
      found.entityTag = expected.entityTag
      found.contentVersion = expected.contentVersion
      found.byteCount = expected.byteCount
      if found == expected { sidecar = known }
    }
    // A corrupt or foreign one is never trusted.
    if sidecar == nil { try removeAllBytes() }
  }

  private static func path(of part: PartFile) -> String { part.path + ".json" }

  /// How many bytes are there.
  internal var byteCount: Int64 {
    switch storage {
    case .part(let part): part.byteCount
    case .temporary(let file): file.byteCount
    }
  }

  /// Whether a repetition may go on from what is there.
  internal var isResumable: Bool {
    if case .part = storage { sidecar != nil && byteCount > 0 } else { false }
  }

  internal func append(_ bytes: UnsafeRawBufferPointer) throws {
    switch storage {
    case .part(let part): try part.append(bytes)
    case .temporary(let file): try file.append(bytes)
    }
  }

  internal func read(
    _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
  ) throws -> Int {
    switch storage {
    case .part(let part): try part.read(into: buffer, at: offset)
    case .temporary(let file): try file.read(into: buffer, at: offset)
    }
  }

  /// Starts a document from nothing.
  ///
  /// - Parameter sidecar: What it is, if it can be resumed; on the disk before its first byte.
  /// - Throws: ``FileError``, ``PublishError``.
  internal func begin(_ sidecar: SpoolSidecar?) throws {
    try removeAllBytes()
    guard case .part(let part) = storage, let sidecar else { return }
    try write(sidecar, of: part)
    self.sidecar = sidecar
  }

  private func write(_ sidecar: SpoolSidecar, of part: PartFile) throws {
    let pending = try PendingFile(for: Self.path(of: part), replacing: .anyFile, files: files)
    let result = sidecar.bytes.withUnsafeBytes { bytes in
      Result { () throws(PublishError) in try pending.write(bytes) }
    }
    try result.get()
    try pending.publish(isLastStep: false)
  }

  /// Forgets the document; what is known of it goes first.
  internal func removeAllBytes() throws {
    switch storage {
    case .part(let part):
      sidecar = nil
      if try files.linkStatus(Self.path(of: part)) != nil { try files.unlink(Self.path(of: part)) }
      try part.removeAllBytes()
    case .temporary(let file):
      if file.byteCount > 0 { storage = .temporary(try SpoolFile(in: folder, files: files)) }
    }
  }

  /// Deletes the files.
  internal func remove() throws {
    guard case .part(let part) = storage else { return }
    try removeAllBytes()
    try part.remove()
  }
}
