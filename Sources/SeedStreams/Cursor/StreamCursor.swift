/// Where a database stands in a stream, as the table `_seed_stream` has it.
package struct StreamCursor: Sendable, Hashable {
  /// The stream's name.
  package var stream: String
  /// The checkpoint whose state the stream's tables have.
  package var position: StreamPosition
  /// What the dynamic source said to ask on from; nil for others.
  package var cursor: String?
  /// The ``SchemaDigest`` of the columns that are really written.
  package var schema: String
  /// When this was written, in milliseconds since 1970 by the device's clock; a publisher writes 0.
  ///
  /// For people only: no decision depends on it.
  package var appliedAt: Int64

  /// A cursor from its parts.
  package init(
    stream: String, position: StreamPosition, cursor: String? = nil, schema: String,
    appliedAt: Int64 = 0
  ) {
    self.stream = stream
    self.position = position
    self.cursor = cursor
    self.schema = schema
    self.appliedAt = appliedAt
  }
}
