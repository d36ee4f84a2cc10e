internal import SeedFiles
internal import SeedFormat
internal import SeedStreams

/// The immutable objects of a stream's folder, each named by the SHA-256 of its bytes.
struct ObjectStore {
  let folder: StreamFolder
  private var files: FileSystem { folder.files }

  init(_ folder: StreamFolder) { self.folder = folder }

  /// Starts an object whose name is known when it is complete.
  func stage() throws(StreamPublishError) -> PendingFile {
    let path = StreamFolder.join(folder.path, "object")
    do throws(PublishError) {
      return try PendingFile(for: path, replacing: .nothing, files: files)
    } catch {
      throw StreamPublishError(.publish(error), path: path)
    }
  }

  /// Gives a complete object its name, once its bytes are on the disk; one that is there already
  /// stays.
  ///
  /// - Returns: Whether it is new.
  func store(
    _ pending: consuming PendingFile, sha256: String, size: Int64
  ) throws(StreamPublishError) -> Bool {
    let path = folder.objectPath(sha256)
    if try check(sha256, size: size) == nil { return false }
    try folder.makeDirectories(String(path.dropLast(sha256.utf8.count + 1)))
    do throws(FileError) {
      // Something damaged under its name: no head relies on it.
      if try files.status(path) != nil { try files.unlink(path) }
    } catch {
      throw StreamPublishError(.file(error), path: path)
    }
    do throws(PublishError) {
      try pending.publish(as: path)
    } catch {
      throw StreamPublishError(.publish(error), path: path)
    }
    return true
  }

  /// What is wrong with an object; nil when it is whole.
  func check(_ sha256: String, size: Int64) throws(StreamPublishError) -> String? {
    let path = folder.objectPath(sha256)
    let digest = try StreamPublishError.inFile { () throws(FileError) in
      try FileDigest.sha256(of: path, files: files)
    }
    guard let digest else { return "is missing" }
    guard digest.byteCount == size else {
      return "has \(digest.byteCount) bytes instead of \(size)"
    }
    return digest.hexadecimal == sha256 ? nil : "has another digest than its name"
  }

  /// A segment that the head lists, after its bytes were compared with its name.
  func segment(
    _ entry: SegmentEntry, epoch: Int64
  ) throws(StreamPublishError) -> StoredObject {
    try require(entry.sha256, size: entry.size)
    return StoredObject(
      sha256: entry.sha256,
      file: SegmentFile(
        path: folder.objectPath(entry.sha256), encoding: .gzip, plainByteCount: entry.plainSize,
        epoch: epoch, from: entry.from, to: entry.to))
  }

  /// Unpacks a snapshot after its bytes were compared with its name.
  ///
  /// - Parameters:
  ///   - entry: The snapshot.
  ///   - write: Takes the plain bytes, piece by piece.
  /// - Throws: ``StreamPublishError``, or what the closure throws.
  func unpack(
    _ entry: SnapshotEntry, write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try require(entry.sha256, size: entry.size)
    let path = folder.objectPath(entry.sha256)
    func unusable(_ why: String) -> StreamPublishError {
      StreamPublishError(.unusableObject(sha256: entry.sha256, why), path: path)
    }
    let descriptor = try StreamPublishError.inFile { () throws(FileError) in
      try files.open(path, .read)
    }
    defer { files.close(descriptor) }
    let reader = GzipFileReader(descriptor, path, files: files)
    while let piece = try StreamPublishError.inFile({ () throws(FileError) in try reader.next() }) {
      guard reader.givenByteCount <= entry.plainSize else {
        throw unusable("unpacks to more than it says")
      }
      try write(piece)
    }
    switch reader.state {
    case .unfinished: throw unusable("ends too early")
    case .damaged(let words): throw unusable("is damaged: \(words)")
    case .ended:
      guard reader.givenByteCount == entry.plainSize else {
        throw unusable("unpacks to less than it says")
      }
    }
  }

  private func require(_ sha256: String, size: Int64) throws(StreamPublishError) {
    guard let why = try check(sha256, size: size) else { return }
    throw StreamPublishError(
      .unusableObject(sha256: sha256, why), path: folder.objectPath(sha256))
  }
}
