internal import CZlib

/// Unpacks one gzip member (RFC 1952) from pieces into pieces.
///
/// Memory is bounded by zlib's window, whatever the data expands to; the caller bounds the output.
package final class GzipInflation {
  /// What a call has come to.
  package enum State: Sendable, Equatable {
    case unfinished
    /// The member is complete, and its checksum and length are right.
    case ended
    /// The data is damaged, in zlib's words.
    case damaged(String)
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let header: UnsafeMutablePointer<gz_header>
  private let extra: UnsafeMutablePointer<UInt8>
  /// The longest extra field that gzip has.
  private static let extraCapacity = 65535

  /// Whether data that starts with these bytes is gzip.
  package static func isGzip(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: [0x1F, 0x8B])
  }

  /// Starts at the beginning of a member.
  package init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = seed_inflate_init_gzip(stream)
    precondition(status == Z_OK, "zlib cannot start: out of memory or another library version")
    extra = .allocate(capacity: Self.extraCapacity)
    extra.initialize(repeating: 0, count: Self.extraCapacity)
    header = .allocate(capacity: 1)
    header.initialize(to: gz_header())
    header.pointee.extra = extra
    header.pointee.extra_max = UInt32(Self.extraCapacity)
    inflateGetHeader(stream, header)
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    header.deallocate()
    extra.deallocate()
  }

  /// Unpacks as much as fits.
  ///
  /// - Returns: How many bytes were taken and given, and the state after them.
  package func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> (taken: Int, given: Int, state: State) {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(output.count)
    let status = CZlib.inflate(stream, Z_NO_FLUSH)
    let taken = input.count - Int(stream.pointee.avail_in)
    let given = output.count - Int(stream.pointee.avail_out)
    switch status {
    case Z_OK, Z_BUF_ERROR: return (taken, given, .unfinished)
    case Z_STREAM_END: return (taken, given, .ended)
    default:
      let words = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
      return (taken, given, .damaged(words))
    }
  }

  /// The member's extra field; nil until its header was read, or if it has none.
  package var extraField: [UInt8]? {
    guard header.pointee.done == 1, header.pointee.extra != nil else { return nil }
    let count = min(Int(header.pointee.extra_len), Self.extraCapacity)
    return Array(UnsafeBufferPointer(start: extra, count: count))
  }
}
