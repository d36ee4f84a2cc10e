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

  @Test func `what a thread throws comes out where it is joined`() throws {
    struct Failure: Error {}
    let thread = WorkerThread { () throws -> Int in throw Failure() }
    try thread.start()
    #expect(throws: Failure.self) { _ = try thread.join() }
  }
}
