internal import SeedFiles
internal import SeedStreams

/// The lines of a stored segment, unpacked as they are read, and where each begins.
internal final class StoredLines {
  /// The object is no segment that can be sent.
  internal struct Damaged: Error {
    internal var reason: String
  }

  /// Where the next line begins in the text.
  internal private(set) var offset: Int64 = 0

  private let lines: SegmentLines

  /// Opens an object.
  ///
  /// - Throws: ``SeedFiles/FileError``, ``Damaged``.
  internal init(path: String, files: FileSystem) throws {
    lines = try SegmentLines(
      path: path, encoding: .gzip, plainByteCount: try Self.plainByteCount(path, files),
      files: files)
  }

  /// The length of the text as the end of the gzip member tells it: the head may not list the
  /// object any more.
  private static func plainByteCount(_ path: String, _ files: FileSystem) throws -> Int64 {
    let descriptor = try files.open(path, .readNoFollow)
    defer { files.close(descriptor) }
    let size = try files.descriptorStatus(descriptor, path).byteCount
    return try withUnsafeTemporaryAllocation(byteCount: 4, alignment: 4) { room in
      let buffer = UnsafeMutableRawBufferPointer(room)
      guard size > 18, try files.readAt(descriptor, path, buffer, size - 4) == 4 else {
        throw Damaged(reason: "it is too short")
      }
      return Int64(UInt32(littleEndian: buffer.loadUnaligned(as: UInt32.self)))
    }
  }

  /// The next line with its line feed, valid until the next call; nil at the end.
  ///
  /// - Throws: ``Damaged`` or ``SeedFiles/FileError``.
  internal func next() throws -> UnsafeRawBufferPointer? {
    do {
      guard let line = try lines.next() else { return nil }
      offset += Int64(line.count + 1)
      // The line feed stands behind the line.
      return UnsafeRawBufferPointer(start: line.baseAddress, count: line.count + 1)
    } catch let error as SegmentError {
      throw Damaged(reason: error.description)
    }
  }
}
