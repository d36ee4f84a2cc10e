import SeedBuilder
import SeedModel
import Testing

@testable import SeedCommand

@Suite struct ProgressTests {
  private let progress = BuildProgress(
    inputBytesRead: 13_000_000, inputByteTotal: 26_000_000, rowCount: 120_000, pass: 1)

  @Test(arguments: [
    (80, "[==========          ] 50%, 12 MB of 25 MB, 120,000 rows, 4 s left"),
    (60, "50%, 12 MB of 25 MB, 120,000 rows, 4 s left"),
    (40, "50%, 12 MB of 25 MB, 120,000 rows"),
    (20, "50%, 12 MB of 25 MB"),
    (10, ""),
  ])
  func `a line shows as much as there is room for`(columns: Int, text: String) {
    #expect(ProgressLine(progress, passSeconds: 4).text(columns: columns) == text)
  }

  @Test func `a pipe has neither share nor time left`() {
    let progress = BuildProgress(
      inputBytesRead: 2048, inputByteTotal: nil, rowCount: 1, pass: 2)
    #expect(
      ProgressLine(progress, passSeconds: 4).text(columns: 80) == "2 KB read, 1 row, pass 2")
  }

  @Test func `a file that grew is at most read whole`() {
    let progress = BuildProgress(inputBytesRead: 20, inputByteTotal: 10, rowCount: 0, pass: 1)
    #expect(
      ProgressLine(progress, passSeconds: 1).text(columns: 80)
        == "[====================] 100%, 20 B of 10 B, 0 rows, 0 s left")
  }

  @Test(arguments: [
    (false, false, true, ProgressDisplay.Mode.bar(afterSeconds: 1)),
    (true, false, true, .bar(afterSeconds: 0)),
    (false, true, true, .never),
    (false, false, false, .never),
    (true, false, false, .lines(everySeconds: 5)),
    (false, true, false, .never),
  ])
  func `the mode follows the options and the terminal`(
    isWanted: Bool, isRefused: Bool, isTerminal: Bool, mode: ProgressDisplay.Mode
  ) {
    let stream = CapturedConsole(isTerminal: isTerminal).console.error
    #expect(
      ProgressDisplay.Mode(isWanted: isWanted, isRefused: isRefused, on: stream) == mode)
  }

  @Test func `a bar appears after its delay and is drawn at most ten times a second`() {
    let capture = CapturedConsole(isTerminal: true)
    let display = ProgressDisplay(.bar(afterSeconds: 1), console: capture.console)
    let barCounts = [0.5, 0.99, 1, 1.05, 1.2].map { seconds in
      capture.setTime(seconds)
      display.update(progress)
      return capture.error.count { $0 == "[" } / 2
    }
    // Each drawing has two brackets: that of the terminal's command and that of the bar.
    #expect(barCounts == [0, 0, 1, 1, 2])
  }

  @Test func `the bar is cleared before a message and before a result`() throws {
    let capture = CapturedConsole(isTerminal: true)
    capture.console.showBar("bar")
    capture.console.report(Diagnostic(.warning, "w"))
    #expect(capture.error == "\r\u{1B}[Kbar\r\u{1B}[Kseed: warning: w\n")
    capture.console.showBar("bar")
    try capture.console.printResult("r\n")
    #expect(capture.error.hasSuffix("bar\r\u{1B}[K"))
    capture.console.clearBar()
    #expect(capture.error.hasSuffix("bar\r\u{1B}[K"))
  }

  @Test func `a log gets a line at once and every five seconds, and none for the terminal`() {
    let capture = CapturedConsole()
    let display = ProgressDisplay(.lines(everySeconds: 5), console: capture.console)
    for seconds in [1.0, 4.9, 5, 6, 10.1] {
      capture.setTime(seconds)
      display.update(progress)
    }
    #expect(
      capture.error == """
        seed: 50%, 12 MB of 25 MB, 120,000 rows, 1 s left
        seed: 50%, 12 MB of 25 MB, 120,000 rows, 6 s left

        """)
  }

  @Test func `the check of a loaded database is shown as such, however soon it comes`() {
    let capture = CapturedConsole()
    let display = ProgressDisplay(.lines(everySeconds: 5), console: capture.console)
    capture.setTime(1)
    display.update(progress)
    var checking = progress
    checking.isChecking = true
    display.update(checking)
    #expect(capture.error.hasSuffix("seed: checking, 120,000 rows\n"))
  }

  @Test func `the time left is that of the pass`() {
    let capture = CapturedConsole()
    let display = ProgressDisplay(.lines(everySeconds: 1), console: capture.console)
    capture.setTime(100)
    var second = progress
    second.pass = 2
    display.update(second)
    capture.setTime(102)
    display.update(second)
    #expect(capture.error.hasSuffix("120,000 rows, 2 s left, pass 2\n"))
  }
}
