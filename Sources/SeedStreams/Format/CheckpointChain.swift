internal import SeedFiles

/// The id of a checkpoint from that of the one before it and what changed since, so that equal ids
/// mean equal histories.
package struct CheckpointChain: ~Copyable {
  private var digest = SHA256Digest()

  /// Starts behind a checkpoint, or behind a text that stands for the beginning of a history.
  ///
  /// - Parameter previous: The id of the checkpoint before.
  package init(after previous: String) {
    var previous = previous
    previous.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
  }

  /// Adds bytes of the one-step segment, from the line behind the header on.
  ///
  /// - Parameter bytes: The bytes, in their order.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    digest.update(bytes)
  }

  /// The id: 16 hexadecimal digits in lower case.
  package func id() -> String { String(digest.hexadecimal().prefix(16)) }
}
