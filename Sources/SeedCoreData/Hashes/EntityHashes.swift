internal import SeedFiles
internal import SeedModel

/// The version hashes of a model's entities, by which Core Data tells whether a store is of a model.
package struct EntityHashes: Sendable, Hashable {
  /// The 32 bytes of each entity's hash by its name.
  package let hashes: [String: [UInt8]]

  /// Takes hashes that are known.
  package init(_ hashes: [String: [UInt8]]) {
    self.hashes = hashes
  }

  /// Computes the hashes of a model.
  ///
  /// - Throws: ``ModelErrors`` for what is in no known store; such hashes are never guessed.
  package init(_ model: CoreDataModel) throws(ModelErrors) {
    let hasher = EntityHasher(model)
    let gaps = hasher.gaps
    guard gaps.isEmpty else { throw ModelErrors(gaps.map(\.error)) }
    hashes = hasher.hashes()
  }

  /// Computes the hashes of a model and compares them with those of the compiled one, which also
  /// give what cannot be computed.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - compiled: The hashes of one version of the compiled model.
  ///   - version: What the version is called.
  ///   - file: What errors call the compiled model.
  /// - Throws: ``ModelErrors`` with the entities that differ.
  package init(
    _ model: CoreDataModel, confirmedBy compiled: [String: [UInt8]], version: String?, file: String
  ) throws(ModelErrors) {
    let hasher = EntityHasher(model)
    let computed = hasher.hashes()
    let names = Set(model.entities.map(\.name)).union(compiled.keys)
    let different = names.filter { name in
      guard let expected = compiled[name], model.entity(name) != nil else { return true }
      return computed[name].map { $0 != expected } ?? false
    }
    guard different.isEmpty else {
      throw ModelErrors([
        ModelError(
          .otherHashes(
            entities: different.sorted(by: EntityOrder.isBefore).map { "\"\($0)\"" },
            version: version),
          at: SourceLocation(file: file))
      ])
    }
    hashes = compiled
  }

  /// The entities in the order of the digests.
  private var sorted: [(name: String, hash: [UInt8])] {
    hashes.map { ($0.key, $0.value) }.sorted { EntityOrder.isBefore($0.0, $1.0) }
  }

  /// `NSStoreModelVersionHashesDigest`: SHA-512 over names and hashes, in Base64.
  package var digest: String {
    Base64.text(SHA512Digest.digest(of: sorted.flatMap { Array($0.name.utf8) + $0.hash }))
  }

  /// `NSStoreModelVersionChecksumKey`: SHA-256 over the hashes, in Base64.
  package var checksum: String {
    Base64.text(EntityHasher.sha256(sorted.flatMap(\.hash)))
  }
}
