import SeedFiles
import Testing

@testable import SeedTransport

@Suite struct RetryPolicyTests {
  private let policy = RetryPolicy(
    retryCount: 3, baseDelay: .milliseconds(500), longestDelay: .seconds(3),
    longestRetryAfter: .seconds(100))

  @Test func `waits double up to a bound`() {
    let delays = (0..<5).map { policy.delay(attempt: $0, retryAfter: nil, fraction: 1) }
    #expect(delays == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(3)])
    #expect(policy.delay(attempt: 1000, retryAfter: nil, fraction: 1) == .seconds(3))
  }

  @Test func `a wait is any part of its bound`() {
    #expect(policy.delay(attempt: 2, retryAfter: nil, fraction: 0) == .zero)
    #expect(policy.delay(attempt: 2, retryAfter: nil, fraction: 0.25) == .milliseconds(500))
  }

  @Test func `what the server asks for is the least, up to a bound, and a tenth is added`() {
    #expect(policy.delay(attempt: 0, retryAfter: .seconds(50), fraction: 0) == .seconds(50))
    #expect(policy.delay(attempt: 0, retryAfter: .seconds(50), fraction: 1) == .seconds(55))
    #expect(policy.delay(attempt: 0, retryAfter: .seconds(4000), fraction: 0) == .seconds(100))
    #expect(policy.delay(attempt: 3, retryAfter: .zero, fraction: 1) == .seconds(3))
  }

  private func retryAfter(_ value: String, date: String? = nil) -> Duration? {
    var headers = HTTPHeaders([HTTPField("Retry-After", value)])
    headers["Date"] = date
    return RetryAfter.delay(in: headers)
  }

  @Test func `a wish to wait is a number or a date against the answer's own`() {
    let now = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(retryAfter("120") == .seconds(120))
    #expect(retryAfter("Sun, 06 Nov 1994 08:50:07 GMT", date: now) == .seconds(30))
    #expect(retryAfter("Sun, 06 Nov 1994 08:40:00 GMT", date: now) == .zero)
    #expect(retryAfter("Sun, 06 Nov 1994 08:50:07 GMT") == nil)
    #expect(retryAfter("soon") == nil)
    let long = Duration.seconds(1_000_000_000)
    #expect(retryAfter("31536000") == .seconds(31_536_000))
    #expect(retryAfter("99999999999999999999") == long)
    #expect(retryAfter("Fri, 31 Dec 9999 23:59:59 GMT", date: now) == long)
    #expect(
      retryAfter("Sun Nov  6 08:50:07 1994", date: "Sunday, 06-Nov-94 08:49:37 GMT")
        == .seconds(30))
  }

  @Test func `a longer wait than the bound is cut short, or ends the repetitions`() throws {
    for ends in [false, true] {
      var policy = policy
      policy.endsAtLongRetryAfter = ends
      let waits = Waits()
      var run = RetryRun(policy, waits.clock, HTTPCancellation())
      try run.wait(after: error(.status(503, retryAfter: .seconds(100))))
      let long = error(.status(503, retryAfter: .seconds(101)))
      if ends {
        #expect(throws: long) { try run.wait(after: long) }
      } else {
        try run.wait(after: long)
      }
      #expect(waits.all == (ends ? [.seconds(100)] : [.seconds(100), .seconds(100)]))
    }
  }

  @Test(arguments: [
    (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (7199, "119 minutes"),
    (7200, "2 hours"), (31_536_000, "365 days"),
  ])
  func `what the server asks for is told in whole units`(seconds: Int, text: String) {
    #expect(
      error(.status(503, retryAfter: .seconds(seconds))).message
        == "the server answers 503 (service unavailable) and asks to wait for \(text)")
    #expect(
      error(.status(503, retryAfter: .zero)).message
        == "the server answers 503 (service unavailable)")
  }

  private func error(_ reason: TransportError.Reason) -> TransportError {
    TransportError(reason, url: "https://h/")
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `a status that may pass is tried again`(status: Int) {
    #expect(error(.status(status, retryAfter: nil)).isTransient)
  }

  @Test(arguments: [400, 401, 403, 404, 410, 416, 501, 505])
  func `a status that stays is not tried again`(status: Int) {
    #expect(!error(.status(status, retryAfter: nil)).isTransient)
  }

  @Test func `faults of the connection are tried again, refusals are not`() {
    let transient: [TransportError.Reason] = [
      .unreachable(""), .timedOut(.connecting), .timedOut(.receiving), .handshake(""),
      .cut(received: 1, expected: nil), .malformed(""),
    ]
    #expect(transient.allSatisfy { error($0).isTransient })
    let final: [TransportError.Reason] = [
      .untrusted(""), .redirectRefused(.insecure, location: ""), .tooLarge(limit: 1),
      .encoded("br"), .changing, .invalidURL(.noHost), .cancelled, .noLibrary,
    ]
    #expect(!final.contains { error($0).isTransient })
  }

  @Test func `progress starts the count of fruitless attempts anew`() throws {
    let clock = ImpatientClock()
    var run = RetryRun(policy, clock.clock(), HTTPCancellation())
    let fault = error(.unreachable(""))
    for hasProgressed in [false, false, true, false, false] {
      try run.wait(after: fault, hasProgressed: hasProgressed)
    }
    #expect(throws: fault) { try run.wait(after: fault) }
    #expect(clock.waits.map { $0 / .milliseconds(500) } == [1, 2, 1, 2, 4])
  }

  @Test func `progress in tiny steps ends too`() throws {
    var policy = policy
    policy.totalRetryCount = 5
    var run = RetryRun(policy, ImpatientClock().clock(), HTTPCancellation())
    let fault = error(.cut(received: 1, expected: nil))
    for _ in 0..<5 { try run.wait(after: fault, hasProgressed: true) }
    #expect(throws: fault) { try run.wait(after: fault, hasProgressed: true) }
  }

  @Test func `a wait ends when the request is cancelled`() {
    let cancellation = HTTPCancellation()
    cancellation.cancel()
    // The real clock: it would wait for a day.
    RetryClock.live.wait(.seconds(86_400), cancellation)
    var run = RetryRun(policy, ImpatientClock().clock(), cancellation)
    let cancelled = error(.cancelled)
    #expect(throws: cancelled) { try run.wait(after: error(.unreachable(""))) }
  }
}

/// Waits for nothing, and remembers how long it should have been.
private final class Waits: Sendable {
  private let kept = Lock<[Duration]>([])

  var all: [Duration] { kept.withLock { $0 } }

  var clock: RetryClock {
    RetryClock(
      wait: { [kept] duration, _ in kept.withLock { $0.append(duration) } }, fraction: { 0 })
  }
}
