package import SeedFiles

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The folder of a stream's files that may be deleted at any time: nothing in it is truth.
package struct StreamCache: Sendable {
  /// The folder, which need not be there.
  package let directory: String
  package let files: FileSystem

  /// The folder of a stream of a database below a folder for caches.
  ///
  /// Databases are told apart by their real paths, so that two names of one file share a folder.
  /// - Parameters:
  ///   - stream: The stream's name.
  ///   - database: The database's path.
  ///   - root: The folder for caches; nil for that of the system.
  ///   - files: The file system.
  /// - Throws: ``SeedFiles/FileError`` when the database is not there.
  package init(
    stream: String, database: String, root: String? = nil, files: FileSystem = .live
  ) throws(FileError) {
    let path = try files.realPath(database)
    let root = root ?? Self.systemRoot ?? Self.join(Self.parent(of: path), ".seed-cache")
    directory = Self.join(root, "seed/\(Self.digest(path))/\(Self.folder(of: stream))")
    self.files = files
  }

  /// `$XDG_CACHE_HOME`, or what stands for it; nil where the user has no home.
  private static var systemRoot: String? {
    #if canImport(Darwin)
      return variable("HOME").map { $0 + "/Library/Caches" }
    #else
      if let root = variable("XDG_CACHE_HOME"), root.hasPrefix("/") { return root }
      return variable("HOME").map { $0 + "/.cache" }
    #endif
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  private static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  private static func parent(of path: String) -> String {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// 16 hexadecimal digits that stand for a text.
  private static func digest(_ text: String) -> String {
    var digest = SHA256Digest()
    Array(text.utf8).withUnsafeBytes { digest.update($0) }
    return String(digest.hexadecimal().prefix(16))
  }

  /// A name that is a safe folder's name, or else a digest of it.
  private static func folder(of stream: String) -> String {
    let isSafe =
      !stream.isEmpty && stream.utf8.count <= 100 && !stream.hasPrefix(".")
      && stream.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
      }
    return isSafe ? stream : "-" + digest(stream)
  }

  /// Makes the folder, if it is not there.
  ///
  /// - Throws: ``SeedFiles/FileError``.
  package func prepare() throws(FileError) {
    try files.createDirectories(directory)
  }

  /// The path of a file in the folder.
  ///
  /// - Parameter name: The file's name.
  /// - Returns: The path.
  package func path(_ name: String) -> String { Self.join(directory, name) }

  /// The bytes of a small file; nil if there is none.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - limit: The most bytes that are read.
  /// - Returns: The bytes.
  /// - Throws: ``SeedFiles/FileError``.
  package func contents(of name: String, limit: Int) throws(FileError) -> [UInt8]? {
    try files.contents(of: path(name), limit: limit)
  }

  private static let counter = Lock<UInt32>(0)

  /// Puts a small file in the place of the one before, whole or not at all.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - name: The file's name.
  /// - Throws: ``SeedFiles/FileError``.
  package func write(_ bytes: [UInt8], to name: String) throws(FileError) {
    let number = Self.counter.withLock { counter in
      counter &+= 1
      return counter
    }
    let temporary = path(".\(name)-\(getpid())-\(number)")
    try remove(temporary)
    let descriptor = try files.open(temporary, .createNew(permissions: 0o600))
    do throws(FileError) {
      defer { files.close(descriptor) }
      var failure: FileError?
      bytes.withUnsafeBytes { buffer in
        do throws(FileError) {
          try files.writeAll(descriptor, temporary, buffer)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    } catch {
      try remove(temporary)
      throw error
    }
    try files.rename(temporary, path(name))
  }

  /// Deletes a file of the folder, if it is there.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: ``SeedFiles/FileError``.
  package func remove(_ path: String) throws(FileError) {
    do throws(FileError) {
      try files.unlink(path)
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Fails unless there is room for so many bytes.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes that are going to be written.
  ///   - context: The run, for its error.
  /// - Throws: ``StreamError`` with `diskFull`, ``SeedFiles/FileError``.
  package func requireSpace(_ byteCount: Int64, in context: StreamContext) throws {
    let available = try files.availableByteCount(directory)
    guard available >= byteCount else {
      throw context.error(.diskFull(needed: byteCount, available: available))
    }
  }
}
