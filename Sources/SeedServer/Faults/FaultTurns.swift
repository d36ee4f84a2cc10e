internal import SeedFiles

/// Deals the faults of a plan out to the requests as they come.
internal final class FaultTurns: Sendable {
  private let plan: FaultPlan
  private let requestCount = Lock(0)

  internal init(_ plan: FaultPlan) {
    self.plan = plan
  }

  /// The fault of the next request; nil if it has none.
  internal func next() -> Fault? {
    guard !plan.faults.isEmpty else { return nil }
    let number = requestCount.withLock { count in
      count += 1
      return count
    }
    guard number.isMultiple(of: plan.every) else { return nil }
    let turn = number / plan.every - 1
    guard !plan.isOnce || turn < plan.faults.count else { return nil }
    let fault = plan.faults[turn % plan.faults.count]
    return fault == Fault() ? nil : fault
  }
}
