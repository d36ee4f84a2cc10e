internal import SeedFiles

/// Lines that wait until those that belong before them are written: in memory while they are few,
/// else in a file without a name.
final class LineSpool {
  private static let memoryLimit = 1 << 20

  /// The bytes so far.
  private(set) var byteCount: Int64 = 0
  /// The rows so far.
  private(set) var rowCount: Int64 = 0
  private var bytes: [UInt8] = []
  private var file: SpoolFile?
  private let files: FileSystem

  init(files: FileSystem) { self.files = files }

  /// Adds lines.
  func append(_ lines: UnsafeRawBufferPointer, rowCount: Int64) throws(StreamPublishError) {
    self.rowCount += rowCount
    byteCount += Int64(lines.count)
    bytes.append(contentsOf: lines)
    if bytes.count > Self.memoryLimit { try spill() }
  }

  private func spill() throws(StreamPublishError) {
    let taken = bytes
    bytes.removeAll(keepingCapacity: true)
    let files = self.files
    let file = try StreamPublishError.inFile { () throws(FileError) in
      if let file = self.file { return file }
      return try SpoolFile(files: files)
    }
    self.file = file
    let result = taken.withUnsafeBytes { buffer in
      Result { () throws(FileError) in try file.append(buffer) }
    }
    try StreamPublishError.inFile { () throws(FileError) in try result.get() }
  }

  /// Gives out all lines, piece by piece.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if let file {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
      defer { buffer.deallocate() }
      file.rewind()
      while true {
        let count = try StreamPublishError.inFile { () throws(FileError) in
          try file.read(into: buffer)
        }
        if count == 0 { break }
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
    if !bytes.isEmpty { try bytes.withUnsafeBytes(body) }
  }
}
