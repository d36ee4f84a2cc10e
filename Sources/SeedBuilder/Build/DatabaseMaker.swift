/// What makes the database that a build publishes.
package protocol DatabaseMaker {
  /// The inputs and options by their digests, if they are recorded.
  var record: BuildRecord? { get }

  /// Makes the database in an empty file.
  ///
  /// - Parameters:
  ///   - path: The empty file.
  ///   - truncate: Empties the file again for another pass.
  ///   - flush: Puts the file on the disk; run while the database is checked.
  /// - Returns: What was made.
  /// - Throws: What ``Build`` makes a ``BuildError`` of.
  func run(
    into path: String, truncate: () throws -> Void, flush: @escaping @Sendable () throws -> Void
  ) throws -> BuildSummary
}
