#if !canImport(Darwin)
  /// One answer as it comes in: cuts the head out of it, keeps its bounds and hands over its body.
  ///
  /// Used by the thread that makes the request alone.
  internal final class CurlTransfer {
    internal let request: HTTPRequest
    /// What a closure threw, or what is wrong with the answer; the transfer then ends.
    internal private(set) var failure: (any Error)?
    internal private(set) var head: HTTPHead?
    internal private(set) var bodyByteCount: Int64 = 0
    /// When the server was last seen alive, on the clock of ``MonotonicClock``.
    internal var lastActivity = MonotonicClock.now()

    private let onHead: (HTTPHead) throws -> Void
    private let onBody: (UnsafeRawBufferPointer) throws -> Void
    private var status: Int?
    private var fields: [HTTPField] = []
    private var headByteCount = 0
    /// The bytes that came since ``lastActivity``.
    private var pendingByteCount = 0

    internal init(
      _ request: HTTPRequest, onHead: @escaping (HTTPHead) throws -> Void,
      onBody: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) {
      self.request = request
      self.onHead = onHead
      self.onBody = onBody
    }

    /// Takes one line of the head with its line break, or of what follows the body.
    ///
    /// - Returns: Whether the transfer goes on.
    internal func takeLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
      noteActivity(bytes.count)
      headByteCount += bytes.count
      guard headByteCount <= request.limits.headByteCount else {
        failure = request.error(.malformed("its headers are too long"))
        return false
      }
      // Headers behind the body (trailers) are of no use here.
      guard head == nil else { return true }
      return attempt { try readLine(bytes) }
    }

    /// Takes bytes of the body.
    ///
    /// - Returns: Whether the transfer goes on.
    internal func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
      noteActivity(bytes.count)
      bodyByteCount += Int64(bytes.count)
      let limit = request.limits.bodyByteCount
      guard bodyByteCount <= limit else {
        failure = request.error(.tooLarge(limit: limit))
        return false
      }
      return attempt { try onBody(bytes) }
    }

    private func attempt(_ body: () throws -> Void) -> Bool {
      let start = MonotonicClock.now()
      do {
        try body()
      } catch {
        failure = error
      }
      // The time that the closure took is not the server's.
      lastActivity += MonotonicClock.now() - start
      return failure == nil
    }

    private func noteActivity(_ byteCount: Int) {
      pendingByteCount += byteCount
      guard pendingByteCount >= request.limits.stallByteCount else { return }
      pendingByteCount = 0
      lastActivity = MonotonicClock.now()
    }

    private func readLine(_ bytes: UnsafeRawBufferPointer) throws {
      var line = String(decoding: bytes, as: UTF8.self)[...]
      while let last = line.unicodeScalars.last, last == "\r" || last == "\n" {
        line.unicodeScalars.removeLast()
      }
      if line.isEmpty { return try finishHead() }
      if line.hasPrefix("HTTP/") {
        // A new head: that of the answer behind an informational one.
        let parts = line.split(separator: " ", maxSplits: 2)
        status = parts.count > 1 ? HTTPText.number(parts[1]).map(Int.init) : nil
        fields = []
      } else if let colon = line.firstIndex(of: ":") {
        fields.append(
          HTTPField(
            HTTPText.trimmed(line[..<colon]), HTTPText.trimmed(line[line.index(after: colon)...])))
      }
    }

    private func finishHead() throws {
      guard let status, (100...599).contains(status) else {
        throw request.error(.malformed("it has no valid status"))
      }
      // 100 (continue) and 103 (early hints) come before the answer itself.
      guard status >= 200 else { return }
      let head = HTTPHead(status: status, headers: HTTPHeaders(fields), url: request.url)
      self.head = head
      if let length = head.contentLength, length > request.limits.bodyByteCount,
        request.method != "HEAD"
      {
        throw request.error(.tooLarge(limit: request.limits.bodyByteCount))
      }
      try onHead(head)
    }
  }
#endif
