extension FileSystem {
  /// Creates a directory and those above it that are missing.
  ///
  /// New ones are their owner's alone.
  /// - Throws: ``FileError``.
  package func createDirectories(_ path: String) throws(FileError) {
    guard try status(path)?.kind != .directory else { return }
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try createDirectories(String(path[..<slash]))
    }
    do throws(FileError) {
      try makeDirectory(path, 0o700)
    } catch {
      // Another process may have been faster.
      guard error.code == FileError.exists, try status(path)?.kind == .directory else {
        throw error
      }
    }
  }

  /// The whole of a small file; nil if there is none.
  ///
  /// A file longer than the limit is cut off there.
  /// - Throws: ``FileError``.
  package func contents(of path: String, limit: Int) throws(FileError) -> [UInt8]? {
    let descriptor: Int32
    do throws(FileError) {
      descriptor = try open(path, .read)
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let count = try read(descriptor, path, buffer)
      if count == 0 { break }
      bytes += buffer[..<min(count, limit - bytes.count)]
    }
    return bytes
  }
}
