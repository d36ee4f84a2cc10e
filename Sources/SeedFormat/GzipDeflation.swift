internal import CZlib

/// Packs bytes into one gzip member, the same for the same bytes and version of zlib.
package final class GzipDeflation {
  private let stream: UnsafeMutablePointer<z_stream>
  private let header: UnsafeMutablePointer<gz_header>
  private let extra: UnsafeMutablePointer<UInt8>
  private let name: UnsafeMutablePointer<UInt8>

  /// Starts a member.
  ///
  /// - Parameters:
  ///   - name: The plain file's name, which unpacking restores; without it the member names none.
  ///   - extraField: What readers skip that do not know it, at most 65,535 bytes; the member has
  ///     no such field if it is empty.
  package init(name: String? = nil, extraField: [UInt8] = []) {
    precondition(extraField.count <= 65535)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = seed_deflate_init_gzip(stream)
    precondition(status == Z_OK, "zlib cannot start: out of memory or another library version")
    extra = .allocate(capacity: max(extraField.count, 1))
    extra.initialize(from: extraField, count: extraField.count)
    let bytes = Array((name ?? "").utf8.filter { $0 != 0 }) + [0]
    self.name = .allocate(capacity: bytes.count)
    self.name.initialize(from: bytes, count: bytes.count)
    header = .allocate(capacity: 1)
    header.initialize(to: gz_header())
    if !extraField.isEmpty {
      header.pointee.extra = extra
      header.pointee.extra_len = UInt32(extraField.count)
    }
    if name != nil { header.pointee.name = self.name }
    // No time, and no system: the same on every machine.
    header.pointee.os = 255
    deflateSetHeader(stream, header)
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    header.deallocate()
    extra.deallocate()
    name.deallocate()
  }

  /// Packs some bytes; with `isLast`, the end of the member follows.
  ///
  /// - Throws: What the closure throws, which gets the packed bytes in pieces.
  package func deflate<Failure: Error>(
    _ input: UnsafeRawBufferPointer, isLast: Bool,
    write: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { output.deallocate() }
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(input.count)
    var status: Int32
    repeat {
      stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(output.count)
      status = CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      let count = output.count - Int(stream.pointee.avail_out)
      try write(UnsafeRawBufferPointer(rebasing: output[..<count]))
    } while isLast ? status != Z_STREAM_END : stream.pointee.avail_out == 0
  }
}
