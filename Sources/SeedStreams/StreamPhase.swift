/// What a stream is doing.
public enum StreamPhase: String, Sendable, Hashable, CaseIterable {
  /// It opens the database and reads where that stands.
  case opening
  /// It asks the server for the newest position.
  case checking
  /// It fetches changes or a snapshot.
  case downloading
  /// It writes changes into the database.
  case applying
  /// It merges a whole snapshot into the database.
  case merging
  /// It compares the database with what was published.
  case verifying
  /// It waits before it asks the server again.
  case waiting
}
