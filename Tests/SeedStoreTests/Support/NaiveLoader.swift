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
