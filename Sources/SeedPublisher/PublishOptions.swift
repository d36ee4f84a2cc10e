/// How a database is published as a stream.
package struct PublishOptions: Sendable, Hashable {
  /// The stream's name; nil takes the only one that the database declares, else `main`.
  package var stream: String?
  /// How many days an object stays after no head names it any more.
  package var keepDays: Int64 = 7

  /// The defaults.
  package init() {}
}
