import SeedTransport
import Testing

@Suite struct StallMeterTests {
  private var meter: StallMeter {
    var limits = HTTPLimits()
    limits.stallTimeout = .seconds(30)
    limits.stallByteCount = 3_000
    return StallMeter(limits)
  }

  @Test func `too few bytes in a span are a stall`() {
    var meter = meter
    for _ in 0..<29 { #expect(!meter.note(100, after: .seconds(1))) }
    #expect(meter.remaining == .seconds(1))
    #expect(meter.note(99, after: .seconds(1)))
  }

  @Test func `enough bytes begin another span`() {
    var meter = meter
    #expect(!meter.note(3_000, after: .seconds(30)))
    #expect(meter.remaining == .seconds(30))
    #expect(meter.note(2_999, after: .seconds(31)))
  }

  @Test func `time that is not spent waiting does not count`() {
    var meter = meter
    for _ in 0..<1_000 { #expect(!meter.note(1, after: .zero)) }
    #expect(meter.remaining == .seconds(30))
  }
}
