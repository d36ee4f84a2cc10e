internal import SeedFiles

/// The destination and the names around it, all in one folder.
internal struct InstallPlace: Sendable {
  /// The absolute path of the folder, without links.
  internal let directory: String
  /// The database's name in it.
  internal let name: String
  /// What the names of the files beside it begin with; short enough for what is added.
  private let stem: String

  internal var path: String { Self.join(directory, name) }
  /// Locked while somebody installs; never deleted, since a deleted lock locks nobody out.
  internal var lockPath: String { Self.join(directory, stem + ".install-lock") }
  /// What the names of unfinished copies begin with.
  internal var stagingPrefix: String { stem + ".staging-" }
  /// The copy of what was there before the last replacement.
  internal var previousPath: String { Self.join(directory, stem + ".previous") }

  /// What a copy of old content waits for.
  internal enum Waiting: String, CaseIterable {
    /// The transaction that replaces or merges what it is a copy of.
    case replacing
    /// The transaction that brings it back.
    case returning
  }

  /// The path of a copy that waits for what becomes of a transaction.
  internal func waitingPath(_ waiting: Waiting, _ note: UpdateNote) -> String {
    waitingPrefix(waiting) + note.text
  }

  /// What a copy of this path waits for; nil for another path.
  internal func waiting(_ path: String) -> (Waiting, UpdateNote)? {
    for waiting in Waiting.allCases where path.hasPrefix(waitingPrefix(waiting)) {
      return UpdateNote(path.dropFirst(waitingPrefix(waiting).count)).map { (waiting, $0) }
    }
    return nil
  }

  private func waitingPrefix(_ waiting: Waiting) -> String {
    Self.join(directory, "\(stem).\(waiting.rawValue)-")
  }

  /// The most bytes that a name may have: file systems take 255, and SQLite adds "-journal".
  private static let longestName = 255 - "-journal".utf8.count

  /// What SQLite puts beside a database.
  internal static let siblings = ["-wal", "-shm", "-journal"]

  /// A name for an unfinished copy that nobody else has.
  internal func newStagingPath() -> String {
    Self.join(directory, stagingPrefix + Self.randomDigits())
  }

  /// A folder for what is moved aside that nobody else has.
  internal func newAsidePath(_ kind: String) -> String {
    Self.join(directory, "\(stem).\(kind)-\(Self.randomDigits())")
  }

  /// Random and not counted: process numbers repeat, and clocks are set back.
  private static func randomDigits() -> String {
    let text = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  internal static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  /// Finds the folder of a destination.
  ///
  /// It is made where it is missing, with those above it, if that is wanted.
  ///
  /// - Returns: Nil if the folder is missing and is not to be made.
  /// - Throws: ``SeedError``.
  internal static func find(
    _ path: String, makesFolder: Bool, durability: Durability, on files: FileSystem
  ) throws(SeedError) -> InstallPlace? {
    guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else {
      throw SeedError(.resolve, path, .notAFileName)
    }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    guard name != ".", name != ".." else { throw SeedError(.resolve, path, .notAFileName) }
    guard name.utf8.count <= longestName else {
      throw SeedError(
        .resolve, path, .nameTooLong(byteCount: name.utf8.count, limit: longestName))
    }
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    if makesFolder {
      try SeedError.at(.resolve) { () throws(FileError) in
        try makeFolder(folder, on: files)
      }
    }
    do throws(FileError) {
      let directory = try files.realPath(folder)
      guard try files.status(directory)?.kind == .directory else {
        throw FileError.notADirectory(directory)
      }
      if makesFolder, durability != .process { try synchronizeAncestors(of: directory, on: files) }
      return InstallPlace(directory: directory, name: name)
    } catch {
      if !makesFolder, error.code == FileError.missing { return nil }
      throw SeedError(.resolve, error)
    }
  }

  private init(directory: String, name: String) {
    self.directory = directory
    self.name = name
    // File systems take 255 bytes; the longest that is added is ".staging-", 16 digits, "-journal".
    let room = 200
    guard name.utf8.count > room else {
      stem = "." + name
      return
    }
    var cut = name
    while cut.utf8.count > room - 17 { cut.unicodeScalars.removeLast() }
    // FNV-1a, so that long names with one beginning stay apart.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    stem = ".\(cut)-\(String(hash, radix: 16))"
  }

  /// Makes a folder and those above it.
  private static func makeFolder(_ path: String, on files: FileSystem) throws(FileError) {
    if let status = try files.status(path) {
      guard status.kind == .directory else { throw FileError.notADirectory(path) }
      return
    }
    try makeFolder(parent(of: path) ?? ".", on: files)
    do throws(FileError) {
      try files.makeDirectory(path, 0o700)
    } catch {
      // Another process may have been faster.
      guard error.isTaken, try files.status(path)?.kind == .directory else { throw error }
    }
  }

  /// Waits until a folder's own name is on the disk, and those of all above it on its device.
  ///
  /// Also of those that were there: a call that died may have made them just before.
  private static func synchronizeAncestors(
    of directory: String, on files: FileSystem
  ) throws(FileError) {
    let device = try files.status(directory)?.identity.device
    var path = directory
    while let parent = parent(of: path) {
      path = parent
      let descriptor: Int32
      do throws(FileError) {
        guard try files.status(path)?.identity.device == device else { return }
        descriptor = try files.open(path, .directory)
      } catch {
        // A folder that an app may not open is none that a call of this app has made.
        guard error.isForbidden else { throw error }
        return
      }
      defer { files.close(descriptor) }
      try files.synchronizeDirectory(descriptor, path)
    }
  }

  private static func parent(of path: String) -> String? {
    guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Waits until a folder's names are on the disk.
  internal static func synchronize(_ path: String, on files: FileSystem) throws(FileError) {
    let descriptor = try files.open(path, .directory)
    defer { files.close(descriptor) }
    try files.synchronizeDirectory(descriptor, path)
  }
}
