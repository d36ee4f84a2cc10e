import Testing

@testable import SeedServer

@Suite struct FaultPlanTests {
  private func faults(_ text: String, requests: Int) throws -> [String] {
    let turns = FaultTurns(try FaultPlan(text))
    return (0..<requests).map { _ in turns.next()?.description ?? "-" }
  }

  @Test func `each request suffers the next fault of the list, in turns`() throws {
    #expect(
      try faults("drop=65536,status=503,delay=200", requests: 5) == [
        "drop=65536", "status=503", "delay=200", "drop=65536", "status=503",
      ])
  }

  @Test func `none is a request without a fault, and plus joins faults of one request`() throws {
    #expect(
      try faults("delay=5+stall=7,none,status=429+retry-after=3", requests: 4) == [
        "delay=5+stall=7", "-", "status=429+retry-after=3", "delay=5+stall=7",
      ])
  }

  @Test func `once ends the faults after the last, every lets some requests take part`() throws {
    #expect(try faults("reset=1,drop=2,once", requests: 4) == ["reset=1", "drop=2", "-", "-"])
    #expect(
      try faults("every=3,reset=1,drop=2", requests: 9) == [
        "-", "-", "reset=1", "-", "-", "drop=2", "-", "-", "reset=1",
      ])
    #expect(try faults("reset=1,every=2,once", requests: 5) == ["-", "reset=1", "-", "-", "-"])
  }

  @Test(arguments: [
    "", "drop", "drop=", "drop=-1", "drop=x", "status=200", "status=99", "delay=60001", "fire=1",
    "drop=1,", "drop=1+reset=2", "once", "every=0,drop=1", "none=1", "drop=1++delay=1",
    "drop=99999999999999999999", "retry-after=3", "delay=1+retry-after=3",
  ])
  func `what is not understood is named`(text: String) {
    let problem = #expect(throws: FaultPlan.Problem.self) { try FaultPlan(text) }
    #expect(problem.map { text.contains($0.part) } == true)
    #expect(problem?.hint.isEmpty == false)
  }
}
