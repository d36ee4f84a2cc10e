internal import SeedFiles
internal import SeedStreams

/// What becomes of objects that the head does not name any more.
///
/// They stay for some days, for clients that still read an older head; the list of them is in the
/// head, since nothing else knows when they were dropped.
struct Garbage {
  let folder: StreamFolder
  let now: Int64
  let keepDays: Int64

  /// Deletes what has waited long enough, and lists the rest.
  ///
  /// - Parameters:
  ///   - used: The objects that the new head names.
  ///   - old: The head that is replaced, if there is one.
  /// - Returns: What the new head lists.
  /// - Throws: ``StreamPublishError``.
  func collect(
    used: Set<String>, old: StreamHead?
  ) throws(StreamPublishError) -> [RetiredObject] {
    let named = old.map { Self.names(in: $0) } ?? []
    var since: [String: Int64] = [:]
    for object in old?.retired ?? [] {
      // A time of another form counts from now on.
      since[object.sha256] = UTCTime.seconds(object.since) ?? now
    }
    for name in named where since[name] == nil { since[name] = now }
    // What a publication left that did not get as far as its head.
    for name in try strays() where since[name] == nil { since[name] = now }
    var retired: [RetiredObject] = []
    for (name, time) in since where !used.contains(name) {
      // Until the new head is there, the old one needs what it names, however short the wait.
      if now - time >= keepDays * 86400, !named.contains(name) {
        try delete(folder.objectPath(name))
      } else {
        retired.append(RetiredObject(sha256: name, since: UTCTime.text(time)))
      }
    }
    return retired.sorted { ($0.since, $0.sha256) < ($1.since, $1.sha256) }
  }

  /// The objects that a head names.
  static func names(in head: StreamHead) -> Set<String> {
    var names = Set(head.segments.map(\.sha256))
    if let snapshot = head.snapshot { names.insert(snapshot.sha256) }
    return names
  }

  /// Deletes what killed publications left half-written.
  ///
  /// The folder is locked: nobody else writes there.
  func sweep() throws(StreamPublishError) {
    for directory in [folder.path] + (try objectDirectories()) {
      for name in try names(in: directory) where name.hasPrefix(".") && name.contains(".seed-") {
        try delete(StreamFolder.join(directory, name))
      }
    }
  }

  /// All objects in the folder.
  private func strays() throws(StreamPublishError) -> [String] {
    var found: [String] = []
    for directory in try objectDirectories() {
      found += try names(in: directory).filter { Self.isDigits($0, count: 64) }
    }
    return found
  }

  private func objectDirectories() throws(StreamPublishError) -> [String] {
    try names(in: folder.objectsPath).filter { Self.isDigits($0, count: 2) }.sorted()
      .map { StreamFolder.join(folder.objectsPath, $0) }
  }

  private func names(in directory: String) throws(StreamPublishError) -> [String] {
    do throws(FileError) {
      return try folder.files.names(directory)
    } catch {
      guard error.isMissing else { throw StreamPublishError(.file(error), path: directory) }
      return []
    }
  }

  private func delete(_ path: String) throws(StreamPublishError) {
    do throws(FileError) {
      try folder.files.unlink(path)
    } catch {
      // Deleted by a publication that did not get as far as its head.
      guard error.isMissing else { throw StreamPublishError(.file(error), path: path) }
    }
  }

  private static func isDigits(_ name: String, count: Int) -> Bool {
    name.utf8.count == count
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
