import SeedTransport
import Testing

@Suite struct StallMeterTests {
  private var meter: StallMeter {
    var limits = HTTPLimits()
    limits.stallTimeout = .seconds(30)
    limits.stallByteCount = 3_000
    return StallMeter(limits)
  }

  /// What a meter says of bytes, each with the seconds that were waited for them.
  private func notes(_ pieces: [(count: Int, seconds: Int)]) -> (stalls: [Bool], left: Duration) {
    var meter = meter
    let stalls = pieces.map { meter.note($0.count, after: .seconds($0.seconds)) }
    return (stalls, meter.remaining)
  }

  @Test func `too few bytes in a span are a stall`() {
    let pieces = Array(repeating: (count: 100, seconds: 1), count: 29)
    let before = notes(pieces)
    #expect(!before.stalls.contains(true))
    #expect(before.left == .seconds(1))
    #expect(notes(pieces + [(99, 1)]).stalls.last == true)
    #expect(notes(pieces + [(100, 1)]).stalls.last == false)
  }

  @Test func `enough bytes begin another span`() {
    let noted = notes([(3_000, 30), (2_999, 31)])
    #expect(noted.stalls == [false, true])
    #expect(noted.left == .seconds(30))
  }

  @Test func `time that is not spent waiting does not count`() {
    let noted = notes(Array(repeating: (count: 1, seconds: 0), count: 1_000))
    #expect(!noted.stalls.contains(true))
    #expect(noted.left == .seconds(30))
  }
}
