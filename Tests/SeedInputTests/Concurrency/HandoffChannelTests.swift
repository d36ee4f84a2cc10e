import SeedInput
import Testing

@Suite struct HandoffChannelTests {
  /// A channel of numbers that count as so many bytes.
  private func channel(depth: Int = 2, mostBytes: Int = 100) -> HandoffChannel<Int> {
    HandoffChannel(
      depth: depth, mostBytes: mostBytes, byteCount: { $0 }, make: { 0 }, free: { _ in })
  }

  @Test func `containers come in the order in which they were given`() throws {
    let channel = channel()
    let giver = WorkerThread { () -> Int in
      defer { channel.finish() }
      return (1...1_000).count { channel.deliver($0) != nil }
    }
    try giver.start()
    var taken: [Int] = []
    while let next = channel.next() { taken.append(next) }
    #expect(taken == Array(1...1_000))
    #expect(try giver.join() == 1_000)
  }

  @Test func `what was recycled is given again`() {
    let channel = channel()
    channel.recycle(7)
    #expect(channel.deliver(1) == 7)
    #expect(channel.deliver(2) == 0)
  }

  @Test func `a cancelled channel takes no more`() throws {
    let channel = channel(depth: 1)
    #expect(channel.deliver(1) == 0)
    let giver = WorkerThread { channel.deliver(2) == nil }
    try giver.start()
    channel.cancel()
    #expect(try giver.join())
  }

  @Test func `a huge container goes from hand to hand`() throws {
    let channel = channel()
    let giver = WorkerThread { channel.deliver(101) }
    try giver.start()
    // The giver goes on only once the container was taken, so nothing lies between the two.
    #expect(channel.next() == 101)
    #expect(try giver.join() == 0)
  }

  @Test func `a drained channel has got back all that it gave`() throws {
    let channel = channel(depth: 3)
    let sum = Sum()
    let taker = WorkerThread {
      while let next = channel.next() {
        sum.value += next
        channel.recycle(0)
      }
    }
    try taker.start()
    for round in 1...300 {
      for _ in 1...3 { #expect(channel.deliver(1) == 0) }
      channel.drain()
      #expect(sum.value == 3 * round)
    }
    channel.finish()
    try taker.join()
  }

  @Test func `nobody waits for the rest of a cancelled channel`() throws {
    let channel = channel()
    #expect(channel.deliver(1) == 0)
    #expect(channel.deliver(2) == 0)
    let taker = WorkerThread {
      _ = channel.next()
      channel.cancel()
    }
    try taker.start()
    channel.drain()
    try taker.join()
    #expect(channel.deliver(3) == nil)
  }

  @Test func `what a thread throws comes out where it is joined`() throws {
    struct Failure: Error {}
    let thread = WorkerThread { () throws -> Int in throw Failure() }
    try thread.start()
    #expect(throws: Failure.self) { _ = try thread.join() }
  }
}

/// A number that one thread at a time looks at.
private final class Sum: @unchecked Sendable {
  // Unchecked: the channel's lock lies between the threads.
  var value = 0
}
