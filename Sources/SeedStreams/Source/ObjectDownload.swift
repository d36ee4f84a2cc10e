internal import SeedFiles
package import SeedTransport

/// A server does not have an object that a stream names, perhaps not yet or not any more.
package struct MissingObject: Error, Sendable {
  /// The object's digest.
  package var sha256: String
}

/// Fetches an object that is addressed by its digest into the cache, going on where an earlier run
/// left off.
///
/// The address is the validator: no tag is kept, and no condition is sent. What counts in the end is
/// the digest over the whole file.
package struct ObjectDownload {
  private let context: StreamContext
  private let url: HTTPURL
  private let sha256: String
  private let size: Int64
  private let plainSize: Int64

  /// A download of an object.
  ///
  /// - Parameters:
  ///   - url: Where it lies.
  ///   - sha256: Its digest, 64 hexadecimal digits in lower case.
  ///   - size: Its length in bytes.
  ///   - plainSize: The length of what is packed in it.
  ///   - context: The run.
  package init(
    _ url: HTTPURL, sha256: String, size: Int64, plainSize: Int64, in context: StreamContext
  ) {
    self.url = url
    self.sha256 = sha256
    self.size = size
    self.plainSize = plainSize
    self.context = context
  }

  private var files: FileSystem { context.cache.files }

  /// How long to wait before looking again whether another process is done.
  private static let pauseMilliseconds = 50

  /// Fetches the object, or finds it in the cache.
  ///
  /// While another process fetches it, this waits for that.
  /// - Returns: The path of the file, whose digest is right.
  /// - Throws: ``StreamError``, ``MissingObject``, ``SeedTransport/TransportError``,
  ///   ``SeedFiles/FileError``.
  package func run() throws -> String {
    let path = context.cache.path(sha256)
    while true {
      try context.cache.prepare()
      if try hasFinished(path) { return path }
      if let part = try PartFile(at: path + ".part", files: files) {
        // Whoever had the file before may have finished it.
        if try hasFinished(path) {
          try part.remove()
          return path
        }
        try fetch(part)
        try part.rename(to: path)
        return path
      }
      if context.cancellation.isCancelled { throw context.error(.cancelled) }
      files.pause(Self.pauseMilliseconds)
    }
  }

  /// Whether the whole file is there; one whose digest is wrong is deleted.
  private func hasFinished(_ path: String) throws -> Bool {
    guard let digest = try FileDigest.sha256(of: path, files: files) else { return false }
    if digest.hexadecimal == sha256, digest.byteCount == size {
      context.update { $0.fetchedBytes += size }
      return true
    }
    try context.cache.remove(path)
    return false
  }

  private func fetch(_ part: PartFile) throws {
    var progress = Progress(furthest: part.byteCount)
    var isSecond = false
    let before = context.status.fetchedBytes
    while true {
      if part.byteCount > size { try part.removeAllBytes() }
      context.update { $0.fetchedBytes = before + part.byteCount }
      try context.cache.requireSpace(
        (size - part.byteCount).addingClamped(plainSize.addingClamped(plainSize)), in: context)
      do {
        if part.byteCount < size {
          try context.attempts.repeating {
            context.update { $0.fetchedBytes = before + part.byteCount }
            try ask(part, isSecond: isSecond, &progress)
          }
        }
        if try part.byteCount == size && part.sha256() == sha256 { return }
      } catch is WrongObject {
        // As if the digest had been looked at.
      }
      try part.removeAllBytes()
      guard !isSecond else { throw context.error(.digestMismatch(object: sha256)) }
      isSecond = true
    }
  }

  /// An answer is that of another object.
  private struct WrongObject: Error {}
  /// The part does not go with the answer.
  private struct Restart: Error {}

  /// How far a run has come with an object.
  private struct Progress {
    var furthest: Int64
  }

  /// Asks for the rest, and for the whole if the server does not give the rest.
  private func ask(
    _ part: PartFile, isSecond: Bool, _ progress: inout Progress
  ) throws {
    do {
      try exchange(part, isSecond: isSecond, &progress)
    } catch is Restart {
      try part.removeAllBytes()
      try exchange(part, isSecond: isSecond, &progress)
    } catch let error as TransportError where error.isTransient && part.byteCount == size {
      // All bytes are there, only the answer's own end is not; the digest is the judge.
    }
  }

  private func exchange(
    _ part: PartFile, isSecond: Bool, _ progress: inout Progress
  ) throws {
    let offset = part.byteCount
    var fields: [HTTPField] = []
    if offset > 0 { fields.append(HTTPField("Range", "bytes=\(offset)-")) }
    if isSecond { fields.append(HTTPField("Cache-Control", "no-cache")) }
    var isLengthKnown = false
    var furthest = progress.furthest
    defer { progress.furthest = furthest }
    try context.perform(
      url, headers: fields,
      onHead: { head in
        isLengthKnown = head.contentLength != nil || head.isChunked
        try check(head, offset: offset)
        if head.status == 200, offset > 0 {
          try part.removeAllBytes()
          context.update { $0.fetchedBytes -= offset }
        }
      },
      onBody: { bytes in
        // Never more than the object has.
        guard part.byteCount + Int64(bytes.count) <= size else { throw WrongObject() }
        try part.append(bytes)
        if part.byteCount > furthest {
          furthest = part.byteCount
          context.attempts.noteProgress()
        }
        context.update { $0.fetchedBytes += Int64(bytes.count) }
      })
    guard part.byteCount < size else { return }
    // A complete answer that is too short is another object; one that ends with the connection may
    // have been cut off.
    if isLengthKnown { throw WrongObject() }
    throw TransportError(.cut(received: part.byteCount, expected: size), url: url.textWithoutQuery)
  }

  private func check(_ head: HTTPHead, offset: Int64) throws {
    switch head.status {
    case 200, 206: break
    case 404, 410: throw MissingObject(sha256: sha256)
    case 416 where offset > 0: throw Restart()
    default:
      throw TransportError(
        .status(head.status, retryAfter: RetryAfter.delay(in: head.headers)),
        url: url.textWithoutQuery)
    }
    if let coding = head.contentCodings.first {
      throw context.error(.contentTransformed(header: "Content-Encoding: \(coding)"))
    }
    if head.status == 206 {
      guard offset > 0 else {
        throw TransportError(
          .malformed("it is a part although the whole was asked for"), url: url.textWithoutQuery)
      }
      let range = head.headers["Content-Range"].flatMap { ContentRange($0) }
      guard range?.bytes?.lowerBound == offset, range?.total == size else { throw Restart() }
    } else if let length = head.contentLength, length != size {
      throw WrongObject()
    }
  }
}
