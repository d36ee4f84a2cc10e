internal import SeedFiles
internal import SeedModel

/// Computes version hashes as Core Data does.
///
/// Each is SHA-256; integers are little-endian, texts UTF-8 without an end mark. Class names,
/// defaults, delete rules, indexes, validation and names of transformers are in none of them.
struct EntityHasher {
  /// Something whose part in a hash no known store shows, and the entity that has it.
  struct Gap {
    var entity: String
    var error: ModelError
  }

  private let model: CoreDataModel
  /// What keeps hashes from being computed, in the order of the model.
  let gaps: [Gap]

  init(_ model: CoreDataModel) {
    self.model = model
    gaps = model.entities.flatMap { Self.gaps(of: $0, model) }
  }

  private static func gaps(of entity: ModelEntity, _ model: CoreDataModel) -> [Gap] {
    func gap(_ what: String, _ location: SourceLocation) -> Gap {
      Gap(
        entity: entity.name,
        error: ModelError(.uncovered(.init(what: what, isOnlyHash: true)), at: location))
    }
    var result: [Gap] = []
    if entity.versionHashModifier != nil {
      result.append(gap("the version hash modifier of \"\(entity.name)\"", entity.location))
    }
    for relationship in entity.relationships {
      if let inverse = model.inverse(of: relationship), inverse.entity == entity.name,
        inverse.relationship.name == relationship.name
      {
        result.append(
          gap(
            "the relationship \"\(relationship.name)\", its own inverse,", relationship.location))
      }
      if !isPlain(relationship.name + relationship.destination) {
        result.append(gap("names beyond ASCII in a hash", relationship.location))
      }
    }
    for attribute in entity.attributes where !isPlain(attribute.name) {
      result.append(gap("names beyond ASCII in a hash", attribute.location))
    }
    if !isPlain(entity.name) {
      result.append(gap("names beyond ASCII in a hash", entity.location))
    }
    return result
  }

  private static func isPlain(_ name: String) -> Bool { name.utf8.allSatisfy { $0 < 0x80 } }

  /// The hashes by the names of the entities, without those that something unknown is in.
  func hashes() -> [String: [UInt8]] {
    let unknown = Set(gaps.map(\.entity))
    var result: [String: [UInt8]] = [:]
    // Parents first: the hash of an entity has that of its parent in it.
    var waiting = model.entities.filter { $0.parent == nil }
    while let entity = waiting.popLast() {
      let parent = entity.parent.map { result[$0] }
      guard !unknown.contains(entity.name), parent != .some(.none) else { continue }
      result[entity.name] = hash(of: entity, parent: parent ?? nil)
      waiting += model.children(of: entity.name).compactMap { model.entity($0) }
    }
    return result
  }

  // MARK: The parts

  private func hash(of entity: ModelEntity, parent: [UInt8]?) -> [UInt8] {
    var bytes = Array(entity.name.utf8)
    bytes.append(entity.isAbstract ? 1 : 0)
    bytes += parent ?? []
    let attributes = model.allAttributes(of: entity.name).filter { !$0.isTransient }.map {
      ($0.name, Self.hash(of: $0))
    }
    let relationships = model.allRelationships(of: entity.name).filter { !$0.isTransient }.map {
      ($0.name, Self.hash(of: $0))
    }
    for (_, hash) in (attributes + relationships).sorted(by: { EntityOrder.isBefore($0.0, $1.0) }) {
      bytes += hash
    }
    let constraints = entity.uniquenessConstraints.map { $0.names.joined(separator: ".") }
    bytes += constraints.sorted(by: EntityOrder.isBefore).flatMap { Array($0.utf8) }
    return Self.sha256(bytes)
  }

  private static func hash(of attribute: ModelAttribute) -> [UInt8] {
    // The expression is all that counts of a derived attribute.
    if let derivation = attribute.derivation { return sha256(Array(format(derivation).utf8)) }
    var bytes = property(
      attribute.name, isOptional: attribute.isOptional, attribute.versionHashModifier)
    append(attribute.type.number, to: &bytes)
    if attribute.allowsExternalStorage { bytes.append(1) }
    if attribute.isPreservedAfterDeletion { bytes.append(1) }
    return sha256(bytes)
  }

  private static func hash(of relationship: ModelRelationship) -> [UInt8] {
    var bytes = property(
      relationship.name, isOptional: relationship.isOptional, relationship.versionHashModifier)
    bytes += Array(relationship.destination.utf8)
    bytes += Array((relationship.inverse ?? "").utf8)
    append(Int32(truncatingIfNeeded: relationship.maxCount), to: &bytes)
    append(UInt32(truncatingIfNeeded: relationship.minCount), to: &bytes)
    if relationship.isOrdered { append(UInt16(1), to: &bytes) }
    return sha256(bytes)
  }

  private static func property(
    _ name: String, isOptional: Bool, _ modifier: String?
  ) -> [UInt8] {
    var bytes = Array(name.utf8)
    append(UInt16(isOptional ? 1 : 0), to: &bytes)
    bytes += Array((modifier ?? "").utf8)
    return sha256(bytes)
  }

  /// The count of a relationship, as a predicate writes it.
  private static func format(_ derivation: String) -> String {
    "count:(\(derivation.split(separator: ".").first ?? ""))"
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finalize()
  }
}
