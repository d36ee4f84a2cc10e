import SeedInput
import SeedModel
import TestSupport
import Testing

@testable import SeedCoreData

@Suite struct ModelFolderTests {
  private let directory: TemporaryDirectory
  private let folder: String

  init() throws {
    directory = try TemporaryDirectory()
    folder = directory.path("Shop.xcdatamodeld")
    try directory.makeDirectory("Shop.xcdatamodeld")
  }

  private func addVersion(_ name: String) throws {
    try directory.makeDirectory("Shop.xcdatamodeld/\(name).xcdatamodel")
    try directory.write("<model/>", to: "Shop.xcdatamodeld/\(name).xcdatamodel/contents")
  }

  private func setCurrent(_ text: String) throws {
    try directory.write(text, to: "Shop.xcdatamodeld/.xccurrentversion")
  }

  private func list(_ name: String) -> String {
    "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict>"
      + "</plist>"
  }

  private func reasons(_ path: String, version: String? = nil) -> [ModelError.Reason]? {
    let error = #expect(throws: ModelErrors.self) {
      try ModelFolder.choose(path, version: version)
    }
    return error?.errors.map(\.reason)
  }

  @Test func `the version that Xcode calls current is taken`() throws {
    try addVersion("Shop")
    try addVersion("Shop 2")
    try setCurrent(list("Shop 2.xcdatamodel"))
    let choice = try ModelFolder.choose(folder + "/", version: nil)
    #expect(choice.version == "Shop 2")
    #expect(choice.path == folder + "/Shop 2.xcdatamodel/contents")
  }

  @Test(arguments: ["Shop", "Shop.xcdatamodel"])
  func `another version is taken by its name`(name: String) throws {
    try addVersion("Shop")
    try addVersion("Shop 2")
    try setCurrent(list("Shop 2.xcdatamodel"))
    #expect(try ModelFolder.choose(folder, version: name).version == "Shop")
  }

  @Test func `a single version needs no list, several do`() throws {
    try addVersion("Shop")
    #expect(try ModelFolder.choose(folder, version: nil).version == "Shop")
    try addVersion("Shop 2")
    #expect(reasons(folder) == [.severalVersions(["Shop", "Shop 2"])])
    #expect(
      reasons(folder, version: "Shop 3") == [.unknownVersion("Shop 3", known: ["Shop", "Shop 2"])])
  }

  @Test(arguments: [
    "", "<plist><dict/></plist>", "nonsense", "<plist version=\"1.0\"><dict>",
  ])
  func `a broken list of versions is an error at the list`(text: String) throws {
    try addVersion("Shop")
    try setCurrent(text)
    let error = #expect(throws: ModelErrors.self) {
      try ModelFolder.choose(folder, version: nil)
    }
    #expect(error?.errors.first?.location.file == folder + "/.xccurrentversion")
    // Whoever names a version does not need it.
    #expect(try ModelFolder.choose(folder, version: "Shop").version == "Shop")
  }

  @Test func `the folder of one version and a bare file are taken too`() throws {
    try addVersion("Shop")
    let version = folder + "/Shop.xcdatamodel"
    #expect(try ModelFolder.choose(version, version: nil).version == "Shop")
    #expect(try ModelFolder.choose(version + "/contents", version: nil).version == nil)
    #expect(reasons(version, version: "x") == [.versionOfSingleModel("x")])
    #expect(reasons(version + "/contents", version: "x") == [.versionOfSingleModel("x")])
  }

  @Test func `a folder without a model, and no folder at all, are errors`() throws {
    #expect(reasons(folder) == [.noVersion])
    try directory.makeDirectory("Shop.xcdatamodeld/Shop.xcdatamodel")
    #expect(reasons(folder) == [.noVersion])
    #expect(throws: InputError.self) {
      try ModelFolder.choose(directory.path("None.xcdatamodeld"), version: nil)
    }
  }

  @Test func `a model is told by its name, or by its content`() throws {
    #expect(CoreDataSchema("A.xcdatamodeld/") == .model)
    #expect(CoreDataSchema("A.xcdatamodeld/B.xcdatamodel/contents") == .model)
    let xml = try directory.write("\u{FEFF} \n<?xml version=\"1.0\"?><model/>", to: "m.txt")
    #expect(CoreDataSchema(xml) == .model)
    let sql = try directory.write("CREATE TABLE a(b);", to: "s.sql")
    #expect(CoreDataSchema(sql) == nil)
    #expect(CoreDataSchema(directory.path("none")) == nil)
  }
}
