/// What a merge did to the rows of the tables that the seed owns.
public struct MergedRows: Sendable, Hashable {
  /// Rows of the new seed that were not there.
  public var inserted: Int64
  /// Rows that were there and differed.
  public var updated: Int64
  /// Rows of the old seed that the new one lacks, without those that ON DELETE actions took along.
  public var deleted: Int64
  /// Rows, of the app's and the user's too, that ON DELETE CASCADE actions of the database's foreign
  /// keys took along.
  public var cascaded: Int64
  /// Rows that did not differ; nothing was written for them.
  public var unchanged: Int64

  /// The counts.
  public init(
    inserted: Int64, updated: Int64, deleted: Int64, cascaded: Int64 = 0, unchanged: Int64
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.cascaded = cascaded
    self.unchanged = unchanged
  }
}
