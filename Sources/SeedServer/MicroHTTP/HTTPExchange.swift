#if !canImport(Darwin)
  internal import CMicroHTTPD
  internal import SeedFiles

  /// One request and its answer, from its first line to its last byte.
  ///
  /// Used by the thread of its connection alone.
  internal final class HTTPExchange {
    internal let target: String
    internal let start = ContinuousClock.now
    /// Whether the head was seen and the rest of the request is waited for.
    internal var hasHead = false
    internal var method = ""
    internal var status = 0
    internal var fault: Fault?
    /// The bytes of the body that went out.
    internal fileprivate(set) var byteCount: Int64 = 0
    /// What kept the rest of the body from going out.
    internal fileprivate(set) var failure: (any Error)?

    internal init(target: String) {
      self.target = target
    }
  }

  /// An answer's body with the exchange that it belongs to, as the library's callbacks see it.
  internal final class SentBody {
    private let body: any AnswerBody
    private let exchange: HTTPExchange

    internal init(_ body: any AnswerBody, _ exchange: HTTPExchange) {
      self.body = body
      self.exchange = exchange
    }

    /// Reads on for the library, in its terms.
    internal func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      do {
        let count = try body.read(into: buffer)
        exchange.byteCount += Int64(count)
        return count > 0 ? count : Int(seed_microhttpd_end)
      } catch {
        exchange.failure = error
        return Int(seed_microhttpd_cut)
      }
    }
  }
#endif
