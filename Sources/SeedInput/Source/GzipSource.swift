internal import CZlib
internal import SeedModel

/// Unpacks gzip data (RFC 1952), also several members one after the other.
///
/// Memory is bounded by zlib's window whatever the data expands to.
package final class GzipSource: ByteSource {
  private let packed: any ByteSource
  private let name: String
  private var stream: UnsafeMutablePointer<z_stream>
  private let inputBuffer: UnsafeMutablePointer<UInt8>
  private static let inputCapacity = 64 << 10
  private var isInsideMember = false
  private var hasFinishedMember = false
  private var hasEnded = false
  /// How many packed bytes were read, and how many bytes the finished members had.
  private var packedCount: Int64 = 0
  private var finishedCount: Int64 = 0

  /// Unpacks what `packed` gives.
  package init(_ packed: any ByteSource, name: String) {
    self.packed = packed
    self.name = name
    inputBuffer = .allocate(capacity: GzipSource.inputCapacity)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = seed_inflate_init_gzip(stream)
    precondition(status == Z_OK, "zlib cannot start: out of memory or another library version")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    inputBuffer.deallocate()
  }

  /// The bytes that all gzip data starts with.
  package static let magic: [UInt8] = [0x1F, 0x8B]

  /// Whether data that starts with these bytes is gzip.
  package static func isGzip(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    UnsafeBufferPointer(start: bytes, count: count).starts(with: magic)
  }

  package func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) throws -> Int {
    stream.pointee.next_out = buffer
    stream.pointee.avail_out = UInt32(capacity)
    while !hasEnded, stream.pointee.avail_out == UInt32(capacity) {
      if stream.pointee.avail_in == 0, try !refill() { break }
      if !isInsideMember, hasFinishedMember {
        skipPadding()
        if stream.pointee.avail_in == 0 { continue }
      }
      let status = inflate(stream, Z_NO_FLUSH)
      switch status {
      case Z_OK, Z_BUF_ERROR: isInsideMember = true
      case Z_STREAM_END:
        // Another member may follow at once.
        isInsideMember = false
        hasFinishedMember = true
        finishedCount += Int64(stream.pointee.total_out)
        inflateReset(stream)
      default:
        let detail = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
        throw InputError(.damagedGzip(detail), at: .init(file: name))
      }
    }
    return capacity - Int(stream.pointee.avail_out)
  }

  /// Goes over the zeros that tapes and block devices leave behind a member, as `gzip` does.
  private func skipPadding() {
    while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
      stream.pointee.next_in += 1
      stream.pointee.avail_in -= 1
    }
  }

  /// Gets more packed bytes; false at the end.
  private func refill() throws -> Bool {
    let count = try packed.read(into: inputBuffer, capacity: GzipSource.inputCapacity)
    guard count > 0 else {
      hasEnded = true
      guard isInsideMember else { return false }
      let unpacked = finishedCount + Int64(stream.pointee.total_out)
      throw InputError(
        .truncatedGzip(byteCount: packedCount, unpacked: unpacked), at: .init(file: name))
    }
    packedCount += Int64(count)
    stream.pointee.next_in = inputBuffer
    stream.pointee.avail_in = UInt32(count)
    return true
  }
}
