import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

/// `seed inspect` and `seed verify` on a Core Data store.
@Suite struct StoreInspectionTests {
  private let directory: TemporaryDirectory
  private let model: String
  private let store: String

  init() throws {
    directory = try TemporaryDirectory()
    model = try directory.write(
      """
      <model userDefinedModelVersionIdentifier="2.1">
      <entity name="Animal" isAbstract="YES">
      <attribute name="name" attributeType="String"/>
      <attribute name="born" optional="YES" attributeType="Date"/>
      <relationship name="keepers" optional="YES" toMany="YES" ordered="YES" \
      destinationEntity="Keeper" inverseName="animals" inverseEntity="Keeper"/>
      <relationship name="visits" optional="YES" toMany="YES" destinationEntity="Visit" \
      inverseName="animal" inverseEntity="Visit"/>
      </entity>
      <entity name="Bear" parentEntity="Animal"/>
      <entity name="Keeper">
      <attribute name="badge" attributeType="UUID"/>
      <attribute name="guidedCount" optional="YES" attributeType="Integer 64" derived="YES" \
      derivationExpression="guided.@count"/>
      <attribute name="mood" optional="YES" transient="YES" attributeType="String"/>
      <relationship name="animals" optional="YES" toMany="YES" destinationEntity="Animal" \
      inverseName="keepers" inverseEntity="Animal"/>
      <relationship name="guided" optional="YES" toMany="YES" destinationEntity="Visit" \
      inverseName="guide" inverseEntity="Visit"/>
      </entity>
      <entity name="Visit">
      <attribute name="isFree" attributeType="Boolean"/>
      <relationship name="animal" maxCount="1" destinationEntity="Animal" inverseName="visits" \
      inverseEntity="Animal"/>
      <relationship name="guide" optional="YES" maxCount="1" destinationEntity="Keeper" \
      inverseName="guided" inverseEntity="Keeper"/>
      </entity>
      </model>
      """, to: "contents")
    store = directory.path("Zoo.sqlite")
    guard CapturedConsole().run("build", "--schema", model, "-o", store) == .success else { return }
    let connection = try Connection(path: store, mode: .readWrite)
    // The triggers of derived attributes call functions that only Core Data has.
    let triggers = try connection.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    for row in triggers {
      if case .text(let name) = row[0] { try connection.execute("DROP TRIGGER \(name)") }
    }
    try connection.execute(
      """
      INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'Balu');
      INSERT INTO ZKEEPER (Z_PK, Z_ENT, Z_OPT, ZBADGE, ZGUIDEDCOUNT)
        VALUES (1, 3, 1, randomblob(16), 0);
      INSERT INTO Z_1KEEPERS VALUES (1, 1, 2048);
      INSERT INTO ZVISIT (Z_PK, Z_ENT, Z_OPT, ZISFREE, ZANIMAL, Z1_ANIMAL) VALUES (1, 4, 1, 0, 1, 2);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_SUPER = 0;
      """)
    for row in triggers {
      if case .text(let sql) = row[1] { try connection.execute(sql) }
    }
    try connection.close()
  }

  private func run(
    _ arguments: String...
  ) -> (code: ExitCode, output: String, error: String) {
    let capture = CapturedConsole()
    let code = CommandLineTool.run(arguments, on: capture.console)
    return (code, capture.output, capture.error)
  }

  /// The report without what is about the file and differs from version to version.
  private func entities(_ text: String) -> String {
    text.split(separator: "\n\n").dropFirst().joined(separator: "\n\n")
  }

  @Test func `a store is shown by its entities as the model has them`() throws {
    let result = run("inspect", store, "--model", model)
    #expect(result.code == .success && result.error == "")
    #expect(
      entities(result.output) == """
        entity Animal: 0 objects, abstract
          born     Date?
          name     String
          keepers  to many Keeper?, ordered, inverse animals
          visits   to many Visit?, inverse animal

        entity Bear: 1 object, a kind of Animal

        entity Keeper: 1 object
          badge        UUID
          guidedCount  Integer 64? = guided.@count
          mood         String?, not stored
          animals      to many Animal?, inverse keepers
          guided       to many Visit?, inverse guide

        entity Visit: 1 object
          isFree  Boolean
          animal  to one Animal, inverse visits
          guide   to one Keeper?, inverse guided

        """)
  }

  @Test func `without the model a store is shown as far as it tells`() throws {
    let result = run("inspect", store)
    #expect(result.code == .success && result.error == "")
    #expect(
      entities(result.output) == """
        entity Animal: 0 objects, with all that its kinds have
          BORN     Date
          NAME     String or URI
          KEEPERS  to many Keeper, ordered, inverse ANIMALS

        entity Bear: 1 object, a kind of Animal

        entity Keeper: 1 object
          GUIDEDCOUNT  Integer or Boolean
          BADGE        Binary or UUID or Transformable
          ANIMALS      to many Animal, inverse KEEPERS

        entity Visit: 1 object
          ISFREE  Integer or Boolean
          ANIMAL  to one Animal
          GUIDE   to one object of an entity that only the model knows

        note: names in capitals are those of columns; --model shows the names, types and relationships

        """)
  }

  @Test func `the head says what the metadata say`() throws {
    let text = run("inspect", store).output
    for line in [
      "store           Core Data 1344", "model           \"2.1\"",
      "stamp           Model, built by seed",
    ] {
      #expect(text.contains("  \(line)"), "\(line)")
    }
    let connection = try Connection(path: store, mode: .immutable)
    let uuid = try #require(try connection.scalarText("SELECT Z_UUID FROM Z_METADATA"))
    #expect(text.contains("  uuid            \(uuid)\n"))
  }

  @Test func `the report for programs has the entities, too`() throws {
    let text = run("inspect", store, "--model", model, "--json").output
    for part in [
      "\"tables\": [", "\"framework_version\": 1344", "\"model_known\": true",
      "\"model_identifiers\": [", "\"derived_from\": \"guided.@count\"",
      "\"destination\": \"Keeper\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(run("inspect", store, "--json").output.contains("\"model_known\": false"))
  }

  @Test func `the page has the names of entities, and arrows for relationships`() throws {
    let page = run("inspect", store, "--model", model, "--html", "-").output
    #expect(page.contains("<p class=\"kind\">Core Data store</p>"))
    #expect(page.contains("<h3><code>Animal, Bear</code></h3>"))
    #expect(page.contains("<h3><code>Animal.keepers – Keeper.animals</code></h3>"))
    #expect(page.contains("<code>guidedCount</code>"))
    #expect(!page.contains("<h3><code>ZANIMAL</code></h3>"))
    let alone = run("inspect", store, "--html", "-").output
    #expect(alone.contains("<h3><code>Animal, Bear</code></h3>"))
  }

  @Test func `a model that is not the store's is said so, and is not used`() throws {
    let other = try directory.write(
      "<model><entity name=\"Animal\"/></model>", to: "other-contents")
    let text = run("inspect", store, "--model", other).output
    #expect(text.contains("note: the store is of another model: "))
    #expect(text.contains("entity Bear: 1 object"))
  }

  @Test func `a database that is no store is shown as before`() throws {
    let source = try directory.write("a\n1\n", to: "a.csv")
    let plain = directory.path("plain.sqlite")
    #expect(run("build", source, "-o", plain).code == .success)
    #expect(run("inspect", plain).output.contains("table a: 1 row"))
    #expect(!run("inspect", plain, "--json").output.contains("\"store\""))
  }

  // MARK: seed verify

  @Test func `a finding in a store has its place, its remedy and the status of findings`() throws {
    try change("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 3")
    let result = run("verify", store, "--model", model)
    #expect(result.code == .finding)
    #expect(
      result.output.contains(
        """
        \(store): error: Z_MAX of "Keeper" is 0, and row 1 of "ZKEEPER" is there: the app's next new \
        objects would take keys that are in use
        hint: run: UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 3;

        """))
    let json = run("verify", store, "--json")
    #expect(json.code == .finding)
    #expect(json.output.contains("\"code\": \"store-z-max\""))
    #expect(json.output.contains("\"severity\": \"error\""))
    #expect(json.output.contains("\"ok\": false"))
  }

  @Test func `notes alone are printed and are no fault`() throws {
    let plain = directory.path("Empty.sqlite")
    #expect(run("build", "--schema", model, "-o", plain).code == .success)
    #expect(run("verify", plain, "--model", model) == (.success, "", ""))
    let connection = try Connection(path: plain, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.close()
    let result = run("verify", plain, "--model", model)
    #expect(result.code == .success)
    #expect(
      result.output.contains(": note: the store is in WAL mode, as Core Data leaves it\nhint:"))
    let json = run("verify", plain, "--json")
    #expect(json.code == .success && json.output.contains("\"ok\": true"))
  }

  @Test func `options about models are checked`() throws {
    for command in ["verify", "inspect"] {
      let version = run(command, store, "--model-version", "2")
      #expect(version.code == .usage)
      #expect(version.error.contains("hint: name the model with --model"))
      #expect(run(command, store, "--model", "").code == .usage)
      #expect(run(command, store, "--model", directory.path("none")).code == .missingInput)
      let broken = try directory.write("<model><entity/></model>", to: "broken")
      let result = run(command, store, "--model", broken)
      #expect(result.code == .badInput && result.error.contains("broken:1:"))
    }
  }

  private func change(_ sql: String) throws {
    let connection = try Connection(path: store, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }
}
