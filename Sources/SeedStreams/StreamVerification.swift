/// How a database compares with what was published.
public struct StreamVerification: Sendable, Hashable {
  /// A table whose rows are not those that were published.
  public struct Difference: Sendable, Hashable {
    /// The table's name.
    public var table: String
    /// Rows that were published and are not there.
    public var missing: Int64
    /// Rows that are there and were not published.
    public var unexpected: Int64
    /// Rows whose values differ.
    public var different: Int64

    /// A difference from its parts.
    public init(table: String, missing: Int64, unexpected: Int64, different: Int64) {
      self.table = table
      self.missing = missing
      self.unexpected = unexpected
      self.different = different
    }
  }

  /// The position that was compared, that of the database.
  public var position: StreamPosition
  /// The tables that differ; none if all is well.
  public var differences: [Difference]

  /// Whether the stream's rows are exactly those that were published.
  public var isEqual: Bool { differences.isEmpty }
}
