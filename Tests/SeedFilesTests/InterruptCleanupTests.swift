import Foundation
import SeedFiles
import TestSupport
import Testing

@Suite struct InterruptCleanupTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal deletes temporary files and keeps the old one`(signal: Int32) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("old", to: "out")
    let result = await #expect(
      processExitsWith: .exitCode(130), observing: [\.standardErrorContent]
    ) { [path = path as String, signal] in
      InterruptCleanup.install()
      let first = try PendingFile(for: path, replacing: .anyFile)
      let second = try PendingFile(for: path, replacing: .anyFile)
      try Data().write(to: URL(fileURLWithPath: first.temporaryPath + "-journal"))
      deliver(signal)
      Issue.record("the process went on")
      try first.publish()
      try second.publish()
    }
    #expect(try directory.names == ["out"])
    #expect(try directory.text(of: "out") == "old")
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.hasSuffix("\nseed: interrupted\n"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `no signal interrupts a process whose file is published`(signal: Int32) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("out")
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String, signal] in
      InterruptCleanup.install()
      try PendingFile(for: path, replacing: .anyFile).publish()
      deliver(signal)
      exit(7)
    }
    #expect(try directory.names == ["out"])
  }

  @Test func `a signal waits while a file is published, and is dropped then`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      letSignalsThrough()
      InterruptCleanup.install()
      InterruptCleanup.commit { raise(SIGINT) }
      exit(7)
    }
  }

  @Test func `a file that is published on the way leaves signals as they are`() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .exitCode(130)) { [path = directory.path("a") as String] in
      InterruptCleanup.install()
      try PendingFile(for: path, replacing: .anyFile).publish(isLastStep: false)
      deliver(SIGTERM)
      exit(7)
    }
    #expect(try directory.names == ["a"])
  }

  @Test func `a signal that waited while publishing failed interrupts`() async {
    await #expect(processExitsWith: .exitCode(130)) {
      letSignalsThrough()
      InterruptCleanup.install()
      #expect(throws: FileError.self) {
        try InterruptCleanup.commit { () throws(FileError) in
          raise(SIGINT)
          throw FileError(.rename, "out", code: EIO)
        }
      }
      exit(7)
    }
  }

  @Test func `a signal that the process was started to ignore stays ignored`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      signal(SIGHUP, SIG_IGN)
      InterruptCleanup.install()
      deliver(SIGHUP)
      exit(7)
    }
  }

  @Test func `a closed pipe is an error of the write`() async {
    await #expect(processExitsWith: .success) {
      letSignalsThrough()
      signal(SIGPIPE, SIG_DFL)
      InterruptCleanup.install()
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      close(ends[0])
      let error = #expect(throws: FileError.self) {
        try [UInt8(1)].withUnsafeBytes { try FileSystem.live.writeAll(ends[1], "pipe", $0) }
      }
      #expect(error == FileError(.write, "pipe", code: EPIPE))
    }
  }

  @Test func `a limit on file sizes is an error of the write`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("out")
    await #expect(processExitsWith: .success) { [path = path as String] in
      letSignalsThrough()
      signal(SIGXFSZ, SIG_DFL)
      InterruptCleanup.install()
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let file = try PendingFile(for: path, replacing: .anyFile)
      let bytes = [UInt8](repeating: 1, count: 5000)
      do {
        try bytes.withUnsafeBytes { try file.write($0) }
        Issue.record("the limit did not hold")
      } catch let error as PublishError {
        #expect(error.cause?.code == EFBIG)
        #expect(error.cause?.isFull == true)
        #expect(!error.isCreation)
      }
    }
    #expect(try directory.names == [])
  }

  @Test func `a file is on the list until it is taken off`() {
    let path = "/nowhere/\(UUID().uuidString)"
    #expect(!InterruptCleanup.isRegistered(path))
    InterruptCleanup.register(path)
    #expect(InterruptCleanup.isRegistered(path))
    InterruptCleanup.unregister(path)
    #expect(!InterruptCleanup.isRegistered(path))
  }

  @Test func `a full list takes no more and forgets nothing`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    await #expect(processExitsWith: .exitCode(130)) { [path = path as String] in
      InterruptCleanup.install()
      for number in 0...InterruptCleanup.capacity {
        let name = path + "/\(number)"
        try Data().write(to: URL(fileURLWithPath: name))
        InterruptCleanup.register(name)
      }
      deliver(SIGINT)
    }
    #expect(try directory.names == ["\(InterruptCleanup.capacity)"])
  }
}

/// Sends the calling thread a signal and returns when it was handled.
private func deliver(_ signal: Int32) {
  letSignalsThrough()
  raise(signal)
}

/// Ends what the threads that run tests do: hold signals back.
private func letSignalsThrough() {
  var none = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, nil)
}
