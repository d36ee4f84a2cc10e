internal import SeedFiles
internal import SeedModel
internal import SeedStreams

/// The folder of a published stream: the head and the objects that it names.
struct StreamFolder {
  /// The folder's path.
  let path: String
  let files: FileSystem

  /// The folder of a stream below a directory.
  init(of stream: String, in directory: String, files: FileSystem) {
    self.init(at: Self.join(directory, StreamLayout.folder(of: stream)), files: files)
  }

  /// A folder itself.
  init(at path: String, files: FileSystem) {
    self.path = path
    self.files = files
  }

  static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  var headPath: String { Self.join(path, StreamLayout.head) }
  var objectsPath: String { Self.join(path, "o") }

  func objectPath(_ sha256: String) -> String { Self.join(path, StreamLayout.object(sha256)) }

  /// Creates a directory and those above it, each on the disk before something is put into it.
  func makeDirectories(_ path: String) throws(StreamPublishError) {
    do throws(FileError) {
      guard try files.status(path)?.kind != .directory else { return }
    } catch {
      throw StreamPublishError(.publish(PublishError(.cannotCreate(error), path: path)), path: path)
    }
    let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    if let parent, !parent.isEmpty { try makeDirectories(parent) }
    do throws(FileError) {
      do throws(FileError) {
        // What is published is for everybody, as far as the process lets them.
        try files.makeDirectory(path, 0o777)
      } catch {
        guard error.isTaken, try files.status(path)?.kind == .directory else { throw error }
      }
      let above = parent ?? "."
      let descriptor = try files.open(above, .directory)
      defer { files.close(descriptor) }
      try files.synchronizeDirectory(descriptor, above)
    } catch {
      throw StreamPublishError(.publish(PublishError(.cannotCreate(error), path: path)), path: path)
    }
  }

  /// Reads the head; nil if nothing was published yet.
  func head(of stream: String) throws(StreamPublishError) -> StreamHead? {
    let path = headPath
    let bytes = try StreamPublishError.inFile { () throws(FileError) in
      try files.contents(of: path, limit: StreamHead.byteLimit)
    }
    guard let bytes else { return nil }
    let head: StreamHead
    do throws(StreamHeadError) {
      head = try StreamHead(parsing: bytes)
    } catch {
      throw StreamPublishError(.unusableHead("\(error)"), path: path)
    }
    guard head.stream == stream else {
      throw StreamPublishError(.otherStream(head.stream), path: path)
    }
    return head
  }

  /// How many heads in a row differ in their lengths.
  private static let lengthCount: Int64 = 32

  /// The bytes of a head, filled up at their end to a length that those before it do not have.
  ///
  /// Web servers tell versions of a file apart by its length and the second in which it was written.
  /// Without this, an app that has the one head of a second would not learn of the other.
  private static func filled(_ bytes: [UInt8], _ head: StreamHead) -> [UInt8] {
    let excess = (Int64(bytes.count) &- head.position.seq) % lengthCount
    let missing = (lengthCount - excess) % lengthCount
    return bytes + Array(repeating: UInt8(ascii: "\n"), count: Int(missing))
  }

  /// Whether the head bears a signature: of anybody, or by one key.
  func isSigned(by key: SigningKey? = nil) throws(StreamPublishError) -> Bool {
    let path = headPath
    let bytes = try StreamPublishError.inFile { () throws(FileError) in
      try files.contents(of: path, limit: StreamHead.byteLimit)
    }
    guard let bytes else { return false }
    do {
      let document = try JSONValue(parsing: bytes)
      guard SignedHead.isSigned(document) else { return false }
      return try key.map { try SignedHead.payload(of: document, keys: [$0.publicKey]) != nil }
        ?? true
    } catch {
      throw StreamPublishError(.unusableHead("\(error)"), path: path)
    }
  }

  /// Puts a head in place of the old one, as one step.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - key: What signs it; nil for no signature.
  /// - Throws: ``StreamPublishError``; the old head then stays.
  func swap(to head: StreamHead, signedBy key: SigningKey?) throws(StreamPublishError) {
    let path = headPath
    let encoded = head.encoded
    let bytes = Self.filled(try key?.signed(encoded, path: path) ?? encoded, head)
    do throws(PublishError) {
      let pending = try PendingFile(for: path, replacing: .anyFile, files: files)
      let result = bytes.withUnsafeBytes { buffer in
        Result { () throws(PublishError) in try pending.write(buffer) }
      }
      try result.get()
      try pending.publish(isLastStep: false)
    } catch {
      throw StreamPublishError(.publish(error), path: path)
    }
  }
}
