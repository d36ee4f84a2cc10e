internal import SeedFormat
internal import SeedTransport

/// Unpacks the body of an answer that the server has packed although nobody asked for that.
internal final class AnswerUnpacking {
  /// Takes what is unpacked.
  internal typealias Taking = (UnsafeRawBufferPointer) throws -> Void

  private let request: HTTPRequest
  private let inflation = GzipInflation()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  /// Whether the whole body came.
  internal private(set) var isComplete = false

  /// Nil for an answer that is not packed.
  ///
  /// - Throws: ``TransportError`` for a coding that is not gzip.
  internal init?(_ head: HTTPHead, _ request: HTTPRequest) throws {
    guard !head.contentCodings.isEmpty else { return nil }
    for coding in head.contentCodings where coding != "gzip" && coding != "x-gzip" {
      throw request.error(.encoded(coding))
    }
    self.request = request
  }

  deinit {
    buffer.deallocate()
  }

  /// Unpacks the next bytes.
  ///
  /// - Throws: ``TransportError``, or what the closure throws.
  internal func unpack(_ bytes: UnsafeRawBufferPointer, _ take: Taking) throws {
    var rest = bytes[...]
    // Once more where the room was full: all that was taken may wait for room.
    var isFull = false
    while !rest.isEmpty || isFull && !isComplete {
      guard !isComplete else {
        throw request.error(.malformed("there is something behind its gzip data"))
      }
      let (taken, given, state) = inflation.inflate(
        UnsafeRawBufferPointer(rebasing: rest), into: buffer)
      try take(UnsafeRawBufferPointer(rebasing: buffer[..<given]))
      rest = rest.dropFirst(taken)
      isFull = given == buffer.count
      switch state {
      case .unfinished: break
      case .ended: isComplete = true
      case .damaged(let words):
        throw request.error(.malformed("its gzip data is damaged: \(words)"))
      }
    }
  }
}
