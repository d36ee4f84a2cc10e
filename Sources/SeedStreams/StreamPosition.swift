/// Where in a stream's history a database stands.
///
/// Positions are ordered by ``epoch``, then ``seq``; ``id`` only tells two histories apart that
/// carry the same numbers.
public struct StreamPosition: Hashable, Sendable {
  /// The lineage: raised when a history starts anew.
  public var epoch: Int64
  /// The number of the checkpoint within its epoch, rising.
  public var seq: Int64
  /// What the checkpoint's content is known by, compared for equality only.
  public var id: String

  /// A position from its parts.
  public init(epoch: Int64, seq: Int64, id: String) {
    self.epoch = epoch
    self.seq = seq
    self.id = id
  }
}
