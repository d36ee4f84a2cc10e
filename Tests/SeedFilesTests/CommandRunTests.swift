import TestSupport
import Testing

@Suite struct CommandRunTests {
  @Test func `a program may write more than a pipe holds to both outputs`() throws {
    let script = "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; cat >&2; exit 3"
    let run = try CommandRun.run("/bin/sh", ["-c", script], input: Array("end".utf8))
    #expect(run.output.count == 1_000_000)
    #expect(run.errorOutput.count == 1_000_003)
    #expect(run.errorText.hasSuffix("end"))
    #expect(run.status == 3 && !run.isSignalled)
  }

  @Test func `a program that reads no input and dies by a signal is reported`() throws {
    let input = [UInt8](repeating: 0, count: 1_000_000)
    let run = try CommandRun.run("/bin/sh", ["-c", "kill -9 $$"], input: input)
    #expect(run.status == 9 && run.isSignalled)
  }
}
