/// Gives some bytes that were read ahead, then the rest of the source they came from.
package final class PrefixedSource: ByteSource {
  private let prefix: [UInt8]
  private var offset = 0
  private let rest: any ByteSource
  /// What the source threw behind the prefix.
  private var failure: (any Error)?

  /// Puts `prefix` in front of `rest`.
  package init(_ prefix: [UInt8], _ rest: any ByteSource) {
    self.prefix = prefix
    self.rest = rest
  }

  /// Reads up to `count` bytes ahead and gives them with a source that still has them all.
  ///
  /// - Throws: what `source` throws before its first byte; what it throws later comes there.
  package static func peek(_ count: Int, from source: any ByteSource) throws
    -> (bytes: [UInt8], source: PrefixedSource)
  {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    var failure: (any Error)?
    while filled < count, failure == nil {
      do {
        let more = try bytes.withUnsafeMutableBufferPointer { buffer -> Int in
          guard let base = buffer.baseAddress else { return 0 }
          return try source.read(into: base + filled, capacity: count - filled)
        }
        if more == 0 { break }
        filled += more
      } catch {
        if filled == 0 { throw error }
        failure = error
      }
    }
    bytes.removeLast(count - filled)
    let whole = PrefixedSource(bytes, source)
    whole.failure = failure
    return (bytes, whole)
  }

  package func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) throws -> Int {
    guard offset < prefix.count else {
      if let failure { throw failure }
      return try rest.read(into: buffer, capacity: capacity)
    }
    let count = min(capacity, prefix.count - offset)
    prefix.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      buffer.update(from: base + offset, count: count)
    }
    offset += count
    return count
  }
}

extension PrefixedSource {
  /// The source without its first bytes, which were read ahead.
  package func dropping(_ count: Int) -> PrefixedSource {
    precondition(count <= prefix.count - offset, "only bytes that were read ahead can be dropped")
    offset += count
    return self
  }
}
