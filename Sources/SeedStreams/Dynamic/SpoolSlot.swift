internal import SeedFiles
internal import SeedTransport

/// The names of the files into which a run collects what a server sends, and the lock that keeps
/// other runs of the same stream away from them.
///
/// The first run takes `spool-<epoch>-<seq>…`; another one at the same time has a number behind it.
/// The lock ends with this value.
internal final class SpoolSlot {
  internal let cache: StreamCache
  /// What tells the spools of one server and one schema from others.
  internal let key: SpoolKey
  private let lock: PartFile
  private let number: Int

  /// How many runs of one stream of one database there can be at once.
  private static let mostSlots = 64

  /// Takes the first slot that is free.
  internal init(_ cache: StreamCache, key: SpoolKey) throws(FileError) {
    self.cache = cache
    self.key = key
    for number in 0..<Self.mostSlots {
      let name = number == 0 ? "spool.lock" : "spool-\(number).lock"
      if let lock = try PartFile(at: cache.path(name), files: cache.files) {
        self.lock = lock
        self.number = number
        return
      }
    }
    throw FileError(.flock, cache.path("spool.lock"), code: FileError.busy)
  }

  /// The name of a file for what follows a position.
  internal func name(_ position: StreamPosition, _ suffix: String) -> String {
    let slot = number == 0 ? "" : "-\(number)"
    return "spool-\(position.epoch)-\(position.seq)\(slot).\(suffix)"
  }

  /// The path of such a file.
  internal func path(_ position: StreamPosition, _ suffix: String) -> String {
    cache.path(name(position, suffix))
  }

  /// Deletes what leads on from positions that the database has left behind.
  internal func sweep(before position: StreamPosition) throws(FileError) {
    for name in try cache.files.names(cache.directory) {
      guard let (epoch, seq) = ownPosition(name),
        epoch != position.epoch || seq < position.seq
      else { continue }
      try cache.remove(cache.path(name))
    }
  }

  /// The position in the name of a file of this slot.
  private func ownPosition(_ name: String) -> (epoch: Int64, seq: Int64)? {
    let parts = name.split(separator: "-")
    guard parts.count == (number == 0 ? 3 : 4), parts[0] == "spool",
      let last = parts.last?.split(separator: "."), last.count >= 2,
      let epoch = Int64(parts[1]), let seq = Int64(number == 0 ? last[0] : parts[2]),
      number == 0 || last[0] == "\(number)"
    else { return nil }
    return (epoch, seq)
  }
}

/// Whose spool it is: what it holds is of no use to another server, or for other columns.
internal struct SpoolKey: Sendable, Hashable {
  internal var url: String
  internal var stream: String
  internal var schema: String
}
