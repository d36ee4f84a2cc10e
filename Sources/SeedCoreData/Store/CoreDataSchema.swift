internal import SeedBuilder
package import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// What of Core Data a schema to fill is.
package enum CoreDataSchema: Sendable, Hashable {
  /// A model.
  case model
  /// A store, as an app writes it.
  case store

  /// Looks at a schema's name and content.
  ///
  /// - Returns: Nil for any other schema, and for what cannot be read: whoever reads it knows what to
  ///   say about it.
  package init?(_ path: String, files: FileSystem = .live) {
    if ModelFolder.isModel(path) || ModelFolder.isContents(path, files: files) {
      self = .model
    } else if Self.isStore(path, files) {
      self = .store
    } else {
      return nil
    }
  }

  private static func isStore(_ path: String, _ files: FileSystem) -> Bool {
    let magic = Array("SQLite format 3\0".utf8)
    guard (try? files.bytes(of: path, limit: magic.count)) == magic,
      let connection = try? Connection(path: path, mode: .immutable),
      let metadata = try? StoreMetadata.read(from: connection)
    else { return false }
    return metadata.members["NSStoreModelVersionHashes"] != nil
  }
}
