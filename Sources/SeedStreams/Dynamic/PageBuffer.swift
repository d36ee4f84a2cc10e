internal import SeedFiles

/// The lines of a page that is not verified yet: in memory, or in a file without a name where a
/// server makes its pages large.
internal struct PageBuffer {
  private let directory: String
  private let files: FileSystem
  private var memory: [UInt8] = []
  private var spool: SpoolFile?

  /// What pages have at most that are made as servers should make them.
  private static let memoryByteCount = 1 << 20

  /// An empty buffer whose file, if it takes one, lies in a directory.
  internal init(directory: String, files: FileSystem) {
    self.directory = directory
    self.files = files
  }

  internal var isEmpty: Bool { memory.isEmpty && spool == nil }

  /// Adds a line.
  internal mutating func append(_ line: UnsafeRawBufferPointer) throws(FileError) {
    memory += line
    guard memory.count > Self.memoryByteCount else { return }
    let spool: SpoolFile
    if let known = self.spool {
      spool = known
    } else {
      spool = try SpoolFile(in: directory, files: files)
      self.spool = spool
    }
    try Self.write(memory) { (bytes) throws(FileError) in try spool.append(bytes) }
    memory.removeAll(keepingCapacity: true)
  }

  /// Hands over all lines, in pieces.
  internal func forEachPiece(
    _ body: (UnsafeRawBufferPointer) throws(FileError) -> Void
  ) throws(FileError) {
    if let spool {
      spool.rewind()
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
      defer { buffer.deallocate() }
      while true {
        let count = try spool.read(into: buffer)
        if count == 0 { break }
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
    try Self.write(memory, body)
  }

  /// Forgets all lines.
  internal mutating func removeAll() {
    memory.removeAll(keepingCapacity: true)
    spool = nil
  }

  private static func write(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(FileError) -> Void
  ) throws(FileError) {
    guard !bytes.isEmpty else { return }
    try bytes.lend(body)
  }
}

extension [UInt8] {
  /// Lends the bytes to a closure that throws errors of files.
  internal func lend(
    _ body: (UnsafeRawBufferPointer) throws(FileError) -> Void
  ) throws(FileError) {
    var failure: FileError?
    withUnsafeBytes { bytes in
      do throws(FileError) {
        try body(bytes)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
