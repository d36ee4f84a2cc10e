internal import SeedFiles

/// Keeps a server from having a database start anew again and again.
///
/// The same whole state is merged at most once in a process without changes in between that were
/// applied the ordinary way.
internal final class ResetBudget: Sendable {
  /// A whole state.
  internal struct Target: Hashable {
    internal var epoch: Int64
    internal var snapshotID: String
  }

  private let taken = Lock<Set<Target>>([])

  private static let shared = Lock<[String: ResetBudget]>([:])

  /// The budget of a stream of a database in this process.
  ///
  /// - Parameters:
  ///   - stream: The stream's name.
  ///   - database: The database's real path.
  /// - Returns: The same one for all who ask.
  internal static func of(stream: String, database: String) -> ResetBudget {
    shared.withLock { budgets in
      let key = "\(database)\0\(stream)"
      if let budget = budgets[key] { return budget }
      let budget = ResetBudget()
      budgets[key] = budget
      return budget
    }
  }

  /// Whether a state may still be merged.
  internal func allows(_ target: Target) -> Bool { taken.withLock { !$0.contains(target) } }

  /// Takes note of a merge.
  internal func note(_ target: Target) { taken.withLock { _ = $0.insert(target) } }

  /// Takes note of changes that were applied the ordinary way.
  internal func renew() { taken.withLock { $0 = [] } }
}
