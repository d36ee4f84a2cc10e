package import SeedFiles
internal import SeedInput
package import SeedModel

/// What `VersionInfo.plist` of a compiled model (`.momd`) says of its versions.
package struct CompiledModel: Sendable, Hashable {
  /// The name of the property list in the folder of a compiled model.
  private static let fileName = "VersionInfo.plist"

  /// What messages call the file.
  package let file: String
  /// The hashes of each version's entities.
  package let versions: [String: [String: [UInt8]]]
  /// The name of the current version, if there is one.
  package let current: String?

  /// Reads the property list, or that of a folder.
  ///
  /// - Throws: ``InputError``, ``ModelErrors``, ``FileError``.
  package static func read(_ path: String, files: FileSystem = .live) throws -> CompiledModel {
    let isFolder = try files.status(path)?.kind == .directory
    let file = isFolder ? "\(path)/\(fileName)" : path
    do {
      return try CompiledModel(try PropertyListDocument.read(path: file), file: file)
    } catch let error as InputError where error.reason == .missing {
      // No source, which might come from the standard input instead.
      throw InputError(.missingCompanion, at: error.location)
    }
  }

  /// Takes the hashes from a property list.
  ///
  /// - Throws: ``ModelErrors`` when it has none.
  package init(_ list: PropertyList, file: String) throws(ModelErrors) {
    func failure(_ what: String) -> ModelErrors {
      ModelErrors([ModelError(.unreadableHashes(what), at: SourceLocation(file: file))])
    }
    guard let all = list.dictionary?["NSManagedObjectModel_VersionHashes"]?.dictionary else {
      throw failure("it has no dictionary \"NSManagedObjectModel_VersionHashes\"")
    }
    var versions: [String: [String: [UInt8]]] = [:]
    for (version, entities) in all {
      guard let entities = entities.dictionary else {
        throw failure("the version \"\(version)\" is no dictionary")
      }
      for (entity, hash) in entities {
        guard let bytes = hash.data, bytes.count == SHA256Digest.byteCount else {
          throw failure("the hash of \"\(entity)\" in \"\(version)\" is no data of 32 bytes")
        }
        versions[version, default: [:]][entity] = bytes
      }
    }
    guard !versions.isEmpty else { throw failure("it has no version") }
    self.file = file
    self.versions = versions
    current = list.dictionary?["NSManagedObjectModel_CurrentVersionName"]?.string
  }

  /// Computes the hashes of a model and compares them with those of the version that it is.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - version: What its version is called; nil for a bare file, which is compared with the
  ///     versions that have its entities, the current one first.
  /// - Returns: The hashes, those included that cannot be computed.
  /// - Throws: ``ModelErrors`` when they differ.
  package func confirm(
    _ model: CoreDataModel, version: String?
  ) throws(ModelErrors) -> EntityHashes {
    guard let version else { return try confirmNameless(model) }
    guard let hashes = versions[version] else {
      let known = versions.keys.sorted(by: EntityOrder.isBefore)
      throw ModelErrors([
        ModelError(.missingHashes(version: version, known: known), at: SourceLocation(file: file))
      ])
    }
    return try EntityHashes(model, confirmedBy: hashes, version: version, file: file)
  }

  private func confirmNameless(_ model: CoreDataModel) throws(ModelErrors) -> EntityHashes {
    let others = versions.keys.filter { $0 != current }.sorted(by: EntityOrder.isBefore)
    let names = [current].compactMap(\.self).filter { versions[$0] != nil } + others
    var first: ModelErrors?
    for name in names {
      do throws(ModelErrors) {
        return try EntityHashes(
          model, confirmedBy: versions[name] ?? [:], version: name, file: file)
      } catch {
        first = first ?? error
      }
    }
    throw first ?? ModelErrors([])
  }
}
