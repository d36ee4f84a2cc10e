import SeedFiles
import SeedModel
import Testing

@testable import SeedCoreData

/// Version hashes.
///
/// The expected ones were computed with another program, in Python, that gives the
/// hashes of stores written by Core Data.
@Suite struct EntityHashesTests {
  private static let library = [
    "Author": "546dc53a004efa9d6463ef79efdd7dfe14dface90bef12177dde576208603e85",
    "Book": "339c0739f1143437da08e4590b103a5b412e345cc9aaa0f862686c155a7c27a9",
    "Chapter": "bb63c903a213ca9a291baea9d9efa80af1d32e52c245b6e155b930fb04a29ce5",
    "Work": "903895ad5ec55da7a46910e3ae4e0b06c5d497f85343e9ef4dbb192898bd71a5",
  ]

  private func hashes(_ body: String) throws -> EntityHashes {
    try EntityHashes(try ModelText.read(body))
  }

  private func texts(_ hashes: EntityHashes) -> [String: String] {
    hashes.hashes.mapValues { SHA256Digest.hexadecimal($0) }
  }

  @Test func `hashes, digest and checksum are those of the other program`() throws {
    let hashes = try hashes(LibraryModel.body)
    #expect(texts(hashes) == Self.library)
    #expect(
      hashes.digest
        == "G9tocHXM4JotQ31YXf/K+p8CYAvgdtaE/qRQ9RGetmHgpgUG81X8WcSDOeK69rOccSNRB+I40PolhCrXAtkEWQ=="
    )
    #expect(hashes.checksum == "MmvVXQs9d4C2KWq4DGZfjXDQLlwtGoM4jIZj3D6SgJs=")
  }

  @Test(arguments: [
    ("valueTransformerName=\"Tint\"", "valueTransformerName=\"Other\""),
    ("<entity name=\"Chapter\">", "<entity name=\"Chapter\" renamingIdentifier=\"x\">"),
    ("<entity name=\"Chapter\">", "<entity name=\"Chapter\" representedClassName=\"X\">"),
    ("<attribute name=\"name\"", "<attribute name=\"name\" indexed=\"YES\""),
    ("<attribute name=\"name\"", "<attribute name=\"name\" defaultValueString=\"x\""),
    ("name=\"author\"", "name=\"author\" deletionRule=\"Cascade\""),
  ])
  func `what has no part in a hash changes none`(old: String, new: String) throws {
    #expect(texts(try hashes(LibraryModel.body.replacing(old, with: new))) == Self.library)
  }

  @Test(arguments: [
    ("minCount=\"1\" maxCount=\"4\"", "minCount=\"1\" maxCount=\"5\""),
    (" isAbstract=\"YES\"", ""), (" versionHashModifier=\"2\"", ""),
    ("<constraint value=\"key\"/>", "<constraint value=\"site\"/>"),
    (" preserveAfterDeletion=\"YES\"", ""), (" \nallowsExternalBinaryDataStorage=\"YES\"", ""),
    ("name=\"weight\" attributeType=\"Double\"", "name=\"weight\" attributeType=\"Float\""),
  ])
  func `a change of an entity changes its hash and those of its sub-entities`(
    old: String, new: String
  ) throws {
    let body = LibraryModel.body.replacing("Binary\" allows", with: "Binary\" \nallows")
    let changed = texts(try hashes(body.replacing(old, with: new)))
    #expect(changed["Book"] != Self.library["Book"])
    #expect(changed["Chapter"] == Self.library["Chapter"])
  }

  // MARK: What is not known

  private static let modified = LibraryModel.body.replacing(
    "<entity name=\"Author\">", with: "<entity name=\"Author\" versionHashModifier=\"2\">")

  @Test(arguments: [
    modified,
    "<entity name=\"A\"><relationship name=\"twin\" destinationEntity=\"A\" inverseName=\"twin\" "
      + "inverseEntity=\"A\"/></entity>",
    "<entity name=\"Größe\"/>",
    "<entity name=\"A\"><attribute name=\"maß\" attributeType=\"String\"/></entity>",
  ])
  func `a hash that no store shows is refused, with two ways around`(body: String) throws {
    let error = #expect(throws: ModelErrors.self) { try hashes(body) }
    let first = try #require(error?.errors.first)
    #expect(first.location.line > 1)
    #expect(first.hint?.contains("--momd") == true)
    #expect(first.hint?.contains("--schema Empty.sqlite") == true)
  }

  // MARK: Compiled models

  private func compiled(
    _ change: (inout [String: [UInt8]]) -> Void = { _ in }
  ) throws -> CompiledModel {
    var hashes = try hashes(LibraryModel.body).hashes
    change(&hashes)
    return try CompiledModel(
      .dictionary([
        "NSManagedObjectModel_CurrentVersionName": .string("Library 2"),
        "NSManagedObjectModel_VersionHashes": .dictionary([
          "Library 2": .dictionary(hashes.mapValues { .data($0) }),
          "Library": .dictionary(["Work": .data([UInt8](repeating: 0, count: 32))]),
        ]),
      ]), file: "VersionInfo.plist")
  }

  @Test(arguments: ["Library 2", nil])
  func `equal hashes confirm a model`(version: String?) throws {
    let model = try ModelText.read(LibraryModel.body)
    #expect(texts(try compiled().confirm(model, version: version)) == Self.library)
  }

  @Test func `a compiled model that differs is refused with the entities`() throws {
    let model = try ModelText.read(LibraryModel.body)
    let other = try compiled {
      $0["Work"]?[0] ^= 1
      $0["Chapter"] = nil
      $0["Extra"] = $0["Book"]
    }
    let error = #expect(throws: ModelErrors.self) {
      try other.confirm(model, version: "Library 2")
    }
    #expect(
      error?.errors.map(\.reason)
        == [.otherHashes(entities: ["\"Chapter\"", "\"Extra\"", "\"Work\""], version: "Library 2")])
    let missing = #expect(throws: ModelErrors.self) { try other.confirm(model, version: "3") }
    #expect(
      missing?.errors.map(\.reason)
        == [.missingHashes(version: "3", known: ["Library", "Library 2"])])
  }

  @Test func `a compiled model gives the hashes that cannot be computed`() throws {
    let model = try ModelText.read(Self.modified)
    let hashes = try compiled { $0["Author"] = [UInt8](repeating: 7, count: 32) }
      .confirm(model, version: nil)
    #expect(hashes.hashes["Author"] == [UInt8](repeating: 7, count: 32))
    #expect(texts(hashes)["Book"] == Self.library["Book"])
    // What can be computed is still compared.
    #expect(throws: ModelErrors.self) {
      try compiled { $0["Chapter"]?[3] ^= 1 }.confirm(model, version: nil)
    }
  }

  @Test(arguments: [
    PropertyList.array([]), .dictionary([:]),
    .dictionary(["NSManagedObjectModel_VersionHashes": .dictionary([:])]),
    .dictionary(["NSManagedObjectModel_VersionHashes": .dictionary(["1": .string("x")])]),
    .dictionary([
      "NSManagedObjectModel_VersionHashes": .dictionary(["1": .dictionary(["A": .data([1])])])
    ]),
  ])
  func `any other property list is no VersionInfo`(list: PropertyList) {
    #expect(throws: ModelErrors.self) { try CompiledModel(list, file: "VersionInfo.plist") }
  }
}
