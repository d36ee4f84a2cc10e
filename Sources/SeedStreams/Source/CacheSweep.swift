internal import SeedFiles
internal import SeedTransport

/// Deletes objects from a cache that nobody is going to need.
internal struct CacheSweep {
  internal var cache: StreamCache

  /// Deletes all objects, and parts of such, but those named; what others work on stays.
  ///
  /// - Parameter digests: The digests of the objects that stay.
  /// - Throws: ``SeedFiles/FileError``.
  internal func run(keeping digests: [String]) throws(FileError) {
    let keeping = Set(digests)
    let names: [String]
    do throws(FileError) {
      names = try cache.files.names(cache.directory)
    } catch {
      guard error.isMissing else { throw error }
      return
    }
    for name in names where Self.isObject(name) && !keeping.contains(String(name.prefix(64))) {
      let path = cache.path(name)
      if name.hasSuffix(".part") {
        if let part = try PartFile(at: path, files: cache.files) { try part.remove() }
      } else {
        try cache.remove(path)
      }
    }
  }

  /// Whether a file's name is a digest, perhaps with something behind it.
  private static func isObject(_ name: String) -> Bool {
    let digits = name.utf8.prefix(64)
    return digits.count == 64
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
