import Foundation
import SeedTransport

/// A clock that waits for nothing and remembers how long it should have waited.
///
/// `@unchecked` is safe: the lock guards the waits.
final class ImpatientClock: @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [Duration] = []

  /// What was asked for, in order.
  var waits: [Duration] { lock.withLock { kept } }

  /// A clock whose random number is always the same.
  func clock(fraction: Double = 1) -> RetryClock {
    RetryClock(
      wait: { duration, _ in self.lock.withLock { self.kept.append(duration) } },
      fraction: { fraction })
  }
}

/// An answer in memory.
struct Answer {
  var head: HTTPHead?
  var body: [UInt8] = []

  var text: String { String(decoding: body, as: UTF8.self) }
}

extension HTTPTransport {
  /// Makes a request with redirects and keeps its answer.
  func answer(_ request: HTTPRequest) throws -> Answer {
    var answer = Answer()
    try follow(
      request, cancellation: HTTPCancellation(), onHead: { answer.head = $0 },
      onBody: { answer.body += $0 })
    return answer
  }

  /// The error of a request; nil if it succeeds.
  func failure(of request: HTTPRequest) throws -> TransportError? {
    do {
      _ = try answer(request)
      return nil
    } catch let error as TransportError {
      return error
    }
  }
}

extension HTTPRequest {
  /// A request that soon gives up on a silent server.
  static func get(_ url: String, headers: HTTPHeaders = HTTPHeaders()) throws -> HTTPRequest {
    var request = HTTPRequest(try HTTPURL(url), headers: headers)
    request.limits.stallTimeout = .seconds(20)
    return request
  }
}

/// Random numbers that a seed decides; the seed is part of each message.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
