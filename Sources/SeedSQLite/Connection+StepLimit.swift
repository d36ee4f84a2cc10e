internal import CSQLite

/// Bounds on how long statements may run: a recursive query can go on for ever.
extension Connection {
  /// Stops a statement after so many steps of SQLite's virtual machine, which are the same on every
  /// machine, as time is not.
  ///
  /// What many statements take together counts, until ``restartSteps()``.
  package func limitSteps(to count: Int64) {
    stepsLeft.pointee = count
    stepLimit = count
    sqlite3_progress_handler(
      open, Connection.stepsBetweenLooks,
      { context in
        guard let left = context?.assumingMemoryBound(to: Int64.self) else { return 0 }
        left.pointee -= Int64(Connection.stepsBetweenLooks)
        return left.pointee < 0 ? 1 : 0
      }, stepsLeft)
  }

  /// Begins to count the steps anew.
  package func restartSteps() { stepsLeft.pointee = stepLimit }

  /// Lets statements run as long as they want.
  package func liftStepLimit() { sqlite3_progress_handler(open, 0, nil, nil) }

  private static var stepsBetweenLooks: Int32 { 100_000 }
}
