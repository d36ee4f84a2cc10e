extension FileSystem {
  /// The digest and the size of what a file holds.
  ///
  /// - Throws: ``FileError`` when it cannot be read.
  package func digest(
    of path: String
  ) throws(FileError) -> (sha256: [UInt8], byteCount: Int64) {
    let descriptor = try open(path, .read)
    defer { close(descriptor) }
    return try digest(descriptor, path)
  }

  /// The digest and the size of what an open file holds, whatever its position.
  ///
  /// - Throws: ``FileError`` when it cannot be read.
  internal func digest(
    _ descriptor: Int32, _ path: String
  ) throws(FileError) -> (sha256: [UInt8], byteCount: Int64) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var digest = SHA256Digest()
    var offset: Int64 = 0
    while true {
      let count = try readAt(descriptor, path, buffer, offset)
      if count == 0 { return (digest.finalize(), offset) }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }

  /// The first bytes of a file, all of them if there are no more than the limit.
  ///
  /// - Throws: ``FileError`` when it cannot be read.
  package func bytes(
    of path: String, limit: Int, mode: OpenMode = .read
  ) throws(FileError) -> [UInt8] {
    let descriptor = try open(path, mode)
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let count = try readAt(descriptor, path, buffer, Int64(bytes.count))
      if count == 0 { break }
      bytes += buffer[..<min(count, limit - bytes.count)]
    }
    return bytes
  }
}
