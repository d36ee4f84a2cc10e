import SeedFiles
import SeedTransport
import TestSupport
import Testing

@testable import SeedStreams

/// Loads of the same tables while another one of them is under way.
@Suite struct HyperHiveOvertakingTests {
  /// A server that raises the version with each answer, and lets something happen before the body.
  private func bench(
    _ event: @escaping @Sendable (_ number: Int) -> Void
  ) throws -> HyperHiveBench {
    let bench = try HyperHiveBench()
    let (count, sourceCount) = (Lock(0), Lock(0))
    bench.server.change { state in
      state.source = { _ in
        let number = sourceCount.withLock {
          $0 += 1
          return $0
        }
        return [HyperHiveResource.Table("list", columns: nil, rows: [["\(number)"]])]
      }
      state.resources[0].writer = { send in
        let number = count.withLock {
          $0 += 1
          return $0
        }
        event(number)
        _ = send(Array(#"[{"name":"list","data":[[\#(number),1,"x"]]}]"#.utf8))
      }
    }
    return bench
  }

  /// A load of the whole.
  private static func whole(_ bench: HyperHiveBench) -> HyperHiveError? {
    do {
      return try bench.failure { $0.extent = .whole }
    } catch {
      return nil
    }
  }

  @Test func `a load that others overtake again and again succeeds in the end`() throws {
    let inner = Lock<HyperHiveBench?>(nil)
    let isInside = Lock(false)
    let bench = try bench { number in
      guard let other = inner.withLock(\.self), number < 12, !isInside.withLock(\.self) else {
        return
      }
      isInside.withLock { $0 = true }
      #expect(Self.whole(other) == nil)
      isInside.withLock { $0 = false }
    }
    try bench.loadSchema()
    inner.withLock { $0 = bench }
    #expect(Self.whole(bench) == nil)
    inner.withLock { $0 = nil }
    #expect(bench.server.calls.count == 13)
    #expect(try bench.rows() == ["13|1.0|x"])
  }

  @Test func `all rows go on top of older ones that others have loaded meanwhile`() throws {
    let inner = Lock<HyperHiveBench?>(nil)
    let bench = try bench { number in
      guard number == 1, let other = inner.withLock(\.self) else { return }
      #expect(Self.whole(other) == nil)
    }
    // What is asked for later is older here.
    bench.server.change { $0.contentVersion = { _, reached in "v\(100 - reached)" } }
    try bench.loadSchema()
    inner.withLock { $0 = bench }
    #expect(Self.whole(bench) == nil)
    inner.withLock { $0 = nil }
    #expect(bench.server.calls.count == 2)
    #expect(try bench.rows() == ["1|1.0|x"])
  }
}
