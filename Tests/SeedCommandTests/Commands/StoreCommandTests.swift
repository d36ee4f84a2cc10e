import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

/// Core Data models on the command line.
@Suite struct StoreCommandTests {
  private let directory: TemporaryDirectory
  private let model: String
  private let output: String

  init() throws {
    directory = try TemporaryDirectory()
    model = directory.path("Shop.xcdatamodeld")
    output = directory.path("Shop.sqlite")
    for version in ["Shop", "Shop 2"] {
      try directory.makeDirectory("Shop.xcdatamodeld/\(version).xcdatamodel")
      try directory.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        userDefinedModelVersionIdentifier="\(version)">
          <entity name="Item">
            <attribute name="name" attributeType="String"/>
          </entity>
        </model>
        """, to: "Shop.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try directory.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key>"
        + "<string>Shop 2.xcdatamodel</string></dict></plist>",
      to: "Shop.xcdatamodeld/.xccurrentversion")
  }

  private func run(
    _ arguments: String...
  ) -> (code: ExitCode, output: String, error: String) {
    let capture = CapturedConsole()
    let code = CommandLineTool.run(arguments, on: capture.console)
    return (code, capture.output, capture.error)
  }

  private func identifier() throws -> String? {
    let connection = try Connection(path: output, mode: .immutable)
    return try connection.scalarText(
      "SELECT CASE WHEN instr(Z_PLIST, CAST('Shop 2' AS BLOB)) THEN 'Shop 2' ELSE 'Shop' END "
        + "FROM Z_METADATA")
  }

  @Test func `a model without sources gives its empty store`() throws {
    #expect(run("build", "--schema", model, "-o", output) == (.success, "", ""))
    #expect(try identifier() == "Shop 2")
    #expect(run("build", "--schema", model, "-o", output, "--check").code == .success)
    #expect(run("verify", output).code == .success)
    #expect(
      run("build", "--schema", model, "-o", output, "--model-version", "Shop").code == .success)
    #expect(try identifier() == "Shop")
    #expect(run("build", "--schema", model, "-o", output, "--check").code == .finding)
  }

  @Test func `the same model and options need no second build`() throws {
    let first = run("build", "--schema", model, "-o", output, "--if-changed", "--json")
    #expect(first.output.contains("\"rows\": 0"))
    let second = run("build", "--schema", model, "-o", output, "--if-changed", "--json")
    #expect(second.output.contains("\"up_to_date\": true"))
    try directory.write(
      "<model><entity name=\"Other\"/></model>",
      to: "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents")
    let third = run("build", "--schema", model, "-o", output, "--if-changed", "--json")
    #expect(third.output.contains("\"rows\": 0"))
    // A build that records nothing gives the same content under another stamp.
    let check = run("build", "--schema", model, "-o", output, "--check")
    #expect(check.code == .success, "\(check.output)")
    #expect(run("build", "--schema", model, "-o", directory.path("Other.sqlite")).code == .success)
    #expect(run("diff", output, directory.path("Other.sqlite")).code == .success)
  }

  @Test func `a manifest lies beside the store`() throws {
    #expect(run("build", "--schema", model, "-o", output, "--manifest").code == .success)
    let text = try directory.text(of: "Shop.sqlite.manifest.json")
    #expect(text.contains("\"name\": \"ZITEM\""))
  }

  @Test func `rows go into the store of a model, and into an empty store`() throws {
    let source = try directory.write("name\nx\ny\n", to: "Item.csv")
    let empty = directory.path("Empty.sqlite")
    _ = run("build", "--schema", model, "-o", empty)
    let ways = [
      ["--schema", model], ["--schema", model + "/Shop.xcdatamodel/contents"],
      ["--schema", empty], ["--schema", empty, "--model", model],
      ["--schema", model, "--model-version", "Shop"],
    ]
    for way in ways {
      let capture = CapturedConsole()
      let code = CommandLineTool.run(
        ["build", source, "-o", output, "--json"] + way, on: capture.console)
      #expect(code == .success, "\(way) \(capture.error)")
      #expect(capture.output.contains("\"entities\": {\n    \"Item\": 2\n  }"))
      let store = try Connection(path: output, mode: .immutable)
      #expect(
        try store.rows("SELECT Z_PK, ZNAME FROM ZITEM") == [
          [.integer(1), .text("x")], [.integer(2), .text("y")],
        ])
      #expect(run("verify", output).code == .success)
    }
  }

  @Test func `an empty store is made of a model and of an empty store without sources`() throws {
    let empty = directory.path("Empty.sqlite")
    #expect(run("build", "--schema", model, "-o", empty).code == .success)
    for more in [[], ["--model", model]] {
      let capture = CapturedConsole()
      let code = CommandLineTool.run(
        ["build", "--schema", empty, "-o", output] + more, on: capture.console)
      #expect(code == .success, "\(capture.error)")
      #expect(
        try Connection(path: output, mode: .immutable).rows("SELECT count(*) FROM ZITEM")
          == [[.integer(0)]])
      #expect(run("verify", output).code == .success)
    }
  }

  @Test func `the schema of a build into a store is what Core Data makes of the model`() throws {
    let source = try directory.write("name\nx\n", to: "Item.csv")
    let result = run("schema", source, "--schema", model)
    #expect(result.code == .success && result.output.contains("CREATE TABLE ZITEM"))
    _ = run("build", "--schema", model, "-o", output)
    let refusal = run("schema", source, "--schema", output)
    #expect(refusal.code == .usage)
    #expect(refusal.error.contains("the schema of a Core Data store is its own"))
    #expect(run("schema", "--schema", output).error == refusal.error)
  }

  @Test func `a changed source makes a build, and the same one does not`() throws {
    let source = try directory.write("name\nx\n", to: "Item.csv")
    func build() -> String {
      run("build", source, "--schema", model, "-o", output, "--if-changed", "--json").output
    }
    #expect(build().contains("\"rows\": 1"))
    #expect(build().contains("\"up_to_date\": true"))
    try directory.write("name\nx\ny\n", to: "Item.csv")
    #expect(run("build", source, "--schema", model, "-o", output, "--check").code == .finding)
    #expect(build().contains("\"rows\": 2"))
  }

  @Test func `the model of a template needs one`() throws {
    let source = try directory.write("name\nx\n", to: "Item.csv")
    let result = run("build", source, "-o", output, "--model", model)
    #expect(result.code == .usage)
    #expect(result.error.contains("\"--model\" is about a Core Data store as the schema"))
  }

  @Test(arguments: [
    ["--format", "csv"], ["--time-zone", "UTC"], ["--offline"], ["--page-size", "1024"],
  ])
  func `what is about sources or pages is refused`(options: [String]) {
    let capture = CapturedConsole()
    let code = CommandLineTool.run(
      ["build", "--schema", model, "-o", output] + options, on: capture.console)
    #expect(code == .usage)
  }

  @Test func `options about models need one`() throws {
    let source = try directory.write("a\n1\n", to: "a.csv")
    for option in ["--model-version", "--momd"] {
      let result = run("build", source, "-o", output, option, "x")
      #expect(result.code == .usage)
      #expect(result.error.contains("\"\(option)\" is about a Core Data model"))
    }
  }

  @Test func `an unknown version lists those there are`() {
    let result = run("build", "--schema", model, "-o", output, "--model-version", "3")
    #expect(result.code == .badInput)
    #expect(result.error.contains("hint: it has \"Shop\", \"Shop 2\""))
    #expect(
      run("build", "--schema", directory.path("None.xcdatamodeld"), "-o", output).code
        == .missingInput)
  }

  @Test func `a compiled model confirms the hashes or names the entities that differ`() throws {
    /// The hash of Item, computed by hand from its parts with another program, in Python.
    let hash = "HwVyRfz2Q61KXPkotfftRieiIke5ubu/9FiHHsa7OWo="
    func compiled(_ hash: String) throws {
      try directory.makeDirectory("Shop.momd")
      try directory.write(
        "<plist version=\"1.0\"><dict><key>NSManagedObjectModel_VersionHashes</key><dict>"
          + "<key>Shop 2</key><dict><key>Item</key><data>\(hash)</data></dict></dict></dict>"
          + "</plist>", to: "Shop.momd/VersionInfo.plist")
    }
    try compiled(hash)
    let same = run(
      "build", "--schema", model, "-o", output, "--momd", directory.path("Shop.momd"))
    #expect(same.code == .success, "\(same.error)")
    try compiled(hash.replacing("Hw", with: "Iw"))
    let other = run(
      "build", "--schema", model, "-o", output, "--momd",
      directory.path("Shop.momd/VersionInfo.plist"))
    #expect(other.code == .badInput)
    #expect(other.error.contains("its version hashes differ for \"Item\""))
    let missing = run(
      "build", "--schema", model, "-o", output, "--momd", directory.path("None.momd"))
    #expect(missing.code == .missingInput)
    #expect(missing.error.hasSuffix("hint: check the path\n"))
  }

  @Test func `a schema of a model says what becomes of each entity, and runs in SQLite`() throws {
    let result = run("schema", "--model", model)
    #expect(result.code == .success)
    #expect(
      result.output.hasPrefix(
        """
        -- Item: entity 1 in ZITEM
        --   name  String  ZNAME VARCHAR

        CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );

        """))
    try Connection.inMemory().execute(result.output)
    #expect(run("schema", "--model", model, "--model-version", "3").code == .badInput)
    #expect(run("schema", "--model", model, "x.csv").code == .usage)
    #expect(run("schema", "--schema", model).output == result.output)
  }

  @Test func `an error in a model shows its line`() throws {
    try directory.write(
      "<model>\n  <entity name=\"A\" colour=\"red\"/>\n</model>",
      to: "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents")
    let path = model + "/Shop 2.xcdatamodel/contents"
    for command in [["build", "-o", output, "--schema", model], ["schema", "--model", model]] {
      let capture = CapturedConsole()
      #expect(CommandLineTool.run(command, on: capture.console) == .badInput)
      #expect(
        capture.error.hasPrefix(
          """
          \(path):2:3: error: the attribute "colour" of "entity" is not known
            <entity name="A" colour="red"/>
            ^
          hint: 
          """))
    }
  }
}
