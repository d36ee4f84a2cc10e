import SeedStreams
import Testing

@testable import SeedCommand

@Suite struct LongWaitsTests {
  private func status(
    _ wait: Duration?, _ result: StreamResult? = nil
  ) -> StreamStatus {
    var status = StreamStatus(stream: "shop", phase: result == nil ? .waiting : .checking)
    status.error =
      result == nil ? StreamError(.offline("503"), stream: "shop", phase: .checking) : nil
    status.nextAttemptAfter = wait
    status.result = result
    return status
  }

  @Test func `a wait that somebody may wonder about is told, where no display shows it`() {
    let capture = CapturedConsole()
    let waits = LongWaits(capture.console)
    waits.report(status(.seconds(1)))
    waits.report(status(nil))
    #expect(capture.error == "")
    waits.report(status(.seconds(8)))
    // The server still does not answer.
    waits.report(status(.seconds(16)))
    let line =
      "seed: warning: stream \"shop\": the server cannot be used just now: 503 (checking); "
      + "the next attempt follows in "
    #expect(capture.error == line + "8 s\n")
    waits.report(status(.seconds(3660)))
    #expect(capture.error == line + "8 s\n" + line + "1 h 1 min\n")
    let position = StreamPosition(epoch: 1, seq: 1, id: "x")
    waits.report(status(nil, StreamResult(outcome: .current, position: position)))
    waits.report(status(.seconds(8)))
    #expect(capture.error == line + "8 s\n" + line + "1 h 1 min\n" + line + "8 s\n")
  }

  @Test func `a display shows the wait, and nothing else does`() {
    let capture = CapturedConsole(isTerminal: true)
    LongWaits(capture.console).report(status(.seconds(3660)))
    #expect(capture.error == "")
    #expect(
      StreamDisplay.text(of: status(.seconds(75)))
        == "shop: waiting 1 min 15 s: the server cannot be used just now: 503")
    #expect(
      StreamDisplay.text(of: status(nil))
        == "shop: waiting: the server cannot be used just now: 503")
  }
}
