import Foundation
import SeedFiles
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// T2 with real connections: each answer breaks off at each byte, head included, in each way.
@Suite struct ConnectionFaultTests {
  /// How an answer ends too early.
  enum Fault: String, CaseIterable, Sendable {
    case close, reset, stall

    func answer(_ answer: HTTPAnswer, at byte: Int) -> HTTPAnswer {
      switch self {
      case .close: answer.with(.close(after: byte))
      case .reset: answer.with(.reset(after: byte))
      case .stall: answer.with(.stall(after: byte))
      }
    }
  }

  private let history = PublishedHistory()
  private let template: AppDatabase
  private let files: [String: [UInt8]]

  init() throws {
    history.publishRandomly(2, rowsPerStep: 2, seed: 42)
    template = try AppDatabase(history)
    files = history.files(try history.head(.steps))
  }

  /// Whether all bytes are tried, as `Scripts/faults stream` has it.
  private static var isThorough: Bool {
    ProcessInfo.processInfo.environment["SEED_FAULTS"] == "all"
  }

  /// The right answer to a request for one of the files.
  private static func answer(
    to request: ReceivedRequest, _ files: [String: [UInt8]], _ framing: HTTPAnswer.Framing
  ) -> HTTPAnswer {
    let name = String(request.target.dropFirst("/catalog/v1/".count))
    return ServedFile(files[name] ?? [], entityTag: "\"\(name.suffix(6))\"")
      .answer(to: request).with(framing)
  }

  @Test(
    arguments: [HTTPAnswer.Framing.contentLength, .chunked, .untilClose], Fault.allCases)
  func `an answer that ends at any byte is gone on with, and all states are published ones`(
    framing: HTTPAnswer.Framing, fault: Fault
  ) throws {
    let probe = try HTTPFaultServer { [files] request, _ in
      Self.answer(to: request, files, framing)
    }
    let first = try AppDatabase(copying: template)
    try first.sync(StandardTransport.make(), base: probe.url("/catalog/v1"))
    let requests = probe.requests
    #expect(requests.count == 3)
    let whole = try #require(
      files.filter { !$0.key.hasSuffix("head.json") }.values.map(\.count).max())
    #expect(whole > 100)
    for (number, request) in requests.enumerated() {
      let size = Self.answer(to: request, files, framing).bytes.count
      for byte in bytes(of: size, fault, number) {
        try attempt(number, byte, framing, fault, bodies: requests.map { Self.size($0, files) })
      }
    }
  }

  private static func size(_ request: ReceivedRequest, _ files: [String: [UInt8]]) -> Int {
    files[String(request.target.dropFirst("/catalog/v1/".count))]?.count ?? 0
  }

  /// The bytes at which an answer is broken: all, or a sample that takes the first and last ones and
  /// is not the same for each fault.
  private func bytes(of size: Int, _ fault: Fault, _ number: Int) -> [Int] {
    if Self.isThorough { return Array(0..<size) }
    let step = fault == .stall ? 401 : 149
    return [0, size - 1] + stride(from: 1 + number * 13 % step, to: size - 1, by: step)
  }

  private func attempt(
    _ number: Int, _ byte: Int, _ framing: HTTPAnswer.Framing, _ fault: Fault, bodies: [Int]
  ) throws {
    let server = try HTTPFaultServer { [files] request, count in
      let answer = Self.answer(to: request, files, framing)
      return count == number ? fault.answer(answer, at: byte) : answer
    }
    let app = try AppDatabase(copying: template)
    app.options.stallTimeout = .milliseconds(100)
    let comment: Comment = "answer \(number) at byte \(byte), \(fault), \(framing)"
    // Each retry finds a state that was published.
    let (looks, problems) = (Lock(0), Lock<[String]>([]))
    let look = AppLook(app)
    app.clock.atEachWait {
      looks.withLock { $0 += 1 }
      if let problem = look.problem() { problems.withLock { $0.append(problem) } }
    }
    let result = try app.sync(StandardTransport.make(), base: server.url("/catalog/v1"))
    #expect(result.outcome == .applied, comment)
    try app.expectPublishedState(at: history.seq, comment)
    #expect(problems.withLock { $0 }.isEmpty, comment)
    #expect(server.requests.count <= 5, comment)
    // Of an object nothing comes twice; of the head at most the whole.
    #expect(result.bytes <= Int64(bodies.reduce(0, +) + bodies[0]), comment)
    // A stall is always seen; what else is cut in its last byte may be whole to the client.
    if fault == .stall, byte == 0 { #expect(looks.withLock { $0 } == 1, comment) }
  }
}

/// Looks at a database from any thread, for the state that it is in.
///
/// `@unchecked` is safe: the app's database is only read, by a connection of its own each time.
private final class AppLook: @unchecked Sendable {
  private let app: AppDatabase

  init(_ app: AppDatabase) {
    self.app = app
  }

  /// What is wrong; nil if it is one of the published states.
  func problem() -> String? {
    do {
      guard let position = try app.position() else { return "no position" }
      guard position == app.history.position(at: position.seq) else { return "\(position)" }
      let (found, expected) = (try app.state(), app.history.state(at: position.seq))
      // A table without rows may be missing in what was published.
      let isSame = app.history.tables.allSatisfy { found[$0.name] == expected[$0.name] }
      return isSame ? nil : "at \(position.seq)"
    } catch {
      return "\(error)"
    }
  }
}
