/// How an answer is written into a database.
public struct StoreOptions: Sendable, Hashable {
  /// What becomes of the rows that a table has already.
  public enum Writing: Sendable, Hashable {
    /// They stay; the answer's rows come behind them.
    case append
    /// The row whose values in these columns are those of a record becomes that record: columns that
    /// the answer does not have keep their values, and a row that does not differ is not written.
    /// Other rows stay.
    ///
    /// A unique index over the columns is made where there is none. What was nested in the record
    /// before is deleted, unless its table has a writing of its own.
    case upsert(key: [String])
    /// They are deleted first, with what is nested in them.
    case replace

    /// ``upsert(key:)`` by one column.
    public static func upsert(by column: String) -> Writing { .upsert(key: [column]) }
  }

  /// What becomes of rows by the names of tables; ``Writing/append`` for those that are not named.
  public var tables: [String: Writing]
  /// What the table of records is called that have no name, the items of an outermost array; without
  /// it, after the last part of the request's path.
  public var recordTable: String?
  /// Whether new tables declare NOT NULL where every record of the answer has a value, as a build
  /// does.
  ///
  /// Later answers must have a value there, too: leave it out where they may not.
  public var declaresNotNull = true
  /// How long to wait for other connections that write.
  public var busyTimeout: Duration = .seconds(5)

  /// Options with the writing of some tables.
  public init(tables: [String: Writing] = [:]) {
    self.tables = tables
  }
}

/// What storing an answer has changed.
public struct StoreResult: Sendable, Hashable {
  /// The counts of one table's rows.
  public struct Counts: Sendable, Hashable {
    /// Rows that were not there before.
    public internal(set) var inserted = 0
    /// Rows that were there and differed.
    public internal(set) var updated = 0
    /// Rows that were there and did not differ.
    public internal(set) var unchanged = 0
    /// Rows that are gone.
    public internal(set) var deleted = 0
  }

  /// The counts by the names of tables, for each that the answer has records of.
  public internal(set) var tables: [String: Counts] = [:]
}
