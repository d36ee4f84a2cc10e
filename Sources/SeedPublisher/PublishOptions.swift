/// How a database is published as a stream.
package struct PublishOptions: Sendable, Hashable {
  /// The stream's name; nil takes the only one that the database declares, else `main`.
  package var stream: String?
  /// What signs the head; nil leaves it unsigned.
  package var signingKey: SigningKey?
  /// How many days an object stays after no head names it any more.
  package var keepDays: Int64 = 7
  /// Whether the history starts anew: clients then merge the new snapshot, whatever they have.
  package var startsEpoch = false
  /// How many seconds clients wait before they ask again.
  package var pollAfterSeconds: Int64 = 300
  /// How many checkpoints become one segment, and how many of those a larger one, and so on.
  package var fanOut: Int64 = 8
  /// The most segments that a head lists.
  package var segmentLimit = 64
  /// How long to wait for another publisher of the same stream.
  package var lockTimeoutMilliseconds: Int64 = 30_000
  /// The time in seconds since 1970; nil takes the system's clock.
  package var time: Int64?

  /// The defaults.
  package init() {}
}
