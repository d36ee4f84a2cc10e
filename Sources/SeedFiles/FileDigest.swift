/// The digest of a whole file.
package struct FileDigest: Sendable, Hashable {
  /// 64 lower-case hexadecimal digits.
  package var hexadecimal: String
  package var byteCount: Int64

  /// Reads the file of a path; nil if there is none.
  ///
  /// - Throws: ``FileError``.
  package static func sha256(
    of path: String, files: FileSystem = .live
  ) throws(FileError) -> FileDigest? {
    let descriptor: Int32
    do throws(FileError) {
      descriptor = try files.open(path, .read)
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
    defer { files.close(descriptor) }
    return try sha256(of: descriptor, path, files: files)
  }

  /// Reads an open file from its first byte, wherever its descriptor stands.
  ///
  /// - Throws: ``FileError``.
  package static func sha256(
    of descriptor: Int32, _ path: String, files: FileSystem
  ) throws(FileError) -> FileDigest {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var digest = SHA256Digest()
    var offset: Int64 = 0
    while true {
      let count = try files.readAt(descriptor, path, buffer, offset)
      if count == 0 { return FileDigest(hexadecimal: digest.hexadecimal(), byteCount: offset) }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }
}
