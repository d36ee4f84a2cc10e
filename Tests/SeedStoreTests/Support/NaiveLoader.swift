import SeedFiles

/// How apps copy a database without this package; each test of a fault must fail on them.
enum NaiveLoader: CaseIterable {
  /// `FileManager.copyItem` unless the file exists: the bytes arrive under the final name.
  case copy
  /// A temporary file and a rename, as `Data.write(options: .atomic)` has it, without the folder.
  case temporaryAndRename

  func run(_ source: String, _ destination: String, _ files: FileSystem) throws {
    // "It is there, so it was copied."
    if try files.status(destination) != nil { return }
    switch self {
    case .copy:
      try copyBytes(source, destination, files)
    case .temporaryAndRename:
      // Named so that the tests see what it leaves behind.
      let slash = destination.lastIndex(of: "/") ?? destination.startIndex
      let temporary = destination[..<slash] + "/.default.sqlite.staging-naive"
      try copyBytes(source, String(temporary), files)
      try files.rename(String(temporary), destination)
    }
  }

  /// Puts a file in place of the one that is there, as "there is a newer version" is written.
  static func replace(_ source: String, _ destination: String, _ files: FileSystem) throws {
    let temporary = destination + ".tmp"
    try Self.copy.copyBytes(source, temporary, files)
    try files.rename(temporary, destination)
  }

  /// Calls in a row, as in C: an error on the way leaves open what the first ones have opened.
  static func copyInARow(_ source: String, _ destination: String, _ files: FileSystem) throws {
    let reader = try files.open(source, .read)
    let writer = try files.open(destination, .createNew(permissions: 0o644))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try files.read(reader, source, buffer), count > 0 {
      try files.writeAll(writer, destination, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    files.close(writer)
    files.close(reader)
  }

  /// Tells how far it is by the bytes that it has written.
  static func copyTelling(
    _ source: String, _ destination: String, _ files: FileSystem, _ progress: (Double) -> Void
  ) throws {
    if try files.status(destination) != nil { return }
    let total = try files.status(source)?.byteCount ?? 1
    let (reader, writer) = (
      try files.open(source, .read), try files.open(destination, .createNew(permissions: 0o644))
    )
    defer {
      files.close(reader)
      files.close(writer)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var done = 0
    while case let count = try files.read(reader, source, buffer), count > 0 {
      try files.writeAll(writer, destination, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      done += count
      progress(Double(done) / Double(total))
    }
  }

  private func copyBytes(_ source: String, _ path: String, _ files: FileSystem) throws {
    let reader = try files.open(source, .read)
    defer { files.close(reader) }
    let writer = try files.open(path, .createNew(permissions: 0o644))
    defer { files.close(writer) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try files.read(reader, source, buffer)
      if count == 0 { return }
      try files.writeAll(writer, path, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
