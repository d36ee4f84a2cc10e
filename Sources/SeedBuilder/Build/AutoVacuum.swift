/// Whether a database gives pages back when rows are deleted, in the numbers of
/// `PRAGMA auto_vacuum`.
package enum AutoVacuum: Int, Sendable, Hashable {
  /// Freed pages stay in the file and are used again.
  case none = 0
  /// Each commit cuts them off.
  case full = 1
  /// `PRAGMA incremental_vacuum` cuts them off.
  case incremental = 2
}
