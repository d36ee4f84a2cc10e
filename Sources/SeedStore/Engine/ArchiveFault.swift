internal import SeedFiles
internal import SeedFormat

/// What is wrong with a packed seed that does not end in the size of what should be in it.
internal struct ArchiveFault {
  internal let path: String
  internal let files: FileSystem
  /// The size that the plain file should have.
  internal let expected: Int64

  /// What to say of packed data that ends too early.
  ///
  /// - Parameters:
  ///   - byteCount: How many packed bytes there are.
  ///   - unpacked: How many bytes they unpack to.
  ///   - expected: How many those should be, if that is known.
  /// - Returns: The words, to follow "the gzip data is damaged".
  internal static func cutOff(byteCount: Int64, unpacked: Int64, expected: Int64?) -> String {
    "it is cut off after \(byteCount) bytes, which unpack to \(unpacked)"
      + (expected.map { " of \($0) bytes" } ?? "")
  }

  /// Unpacks to nowhere, as far as the declared size, to see whether the end is missing or another.
  ///
  /// - Parameter stored: The size that the last bytes of the file are.
  /// - Returns: What is wrong.
  /// - Throws: ``FileError`` when the file cannot be read.
  internal func reason(stored: Int64) throws(FileError) -> SeedError.Reason {
    let descriptor = try files.open(path, .read)
    defer { files.close(descriptor) }
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer {
      input.deallocate()
      output.deallocate()
    }
    let inflation = GzipInflation()
    var (offset, unpacked) = (Int64(0), Int64(0))
    while unpacked <= expected {
      let count = try files.readAt(descriptor, path, input, offset)
      guard count > 0 else {
        return .damagedArchive(
          Self.cutOff(byteCount: offset, unpacked: unpacked, expected: expected))
      }
      offset += Int64(count)
      var rest = UnsafeRawBufferPointer(rebasing: input[..<count])
      while true {
        let step = inflation.inflate(rest, into: output)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.taken))
        unpacked += Int64(step.given)
        switch step.state {
        case .damaged(let why): return .damagedArchive(why)
        case .ended: return .wrongSize(expected: expected, found: unpacked)
        case .unfinished: break
        }
        if step.given < output.count || unpacked > expected { break }
      }
    }
    return .wrongSize(expected: expected, found: max(stored, unpacked))
  }
}
