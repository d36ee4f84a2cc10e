import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct SchemaNamingTests {
  private func table(
    _ name: QualifiedName, _ sources: [TablePlan.Source], keyColumn: Int = 0
  ) -> TablePlan {
    TablePlan(
      name: name,
      columns: sources.map { TablePlan.Column(source: $0, type: .text, fields: []) },
      keyColumn: keyColumn, keyComesLate: false, isRecursive: false)
  }

  private func schema(_ tables: [TablePlan]) -> FinalSchema {
    var plan = LoadPlan()
    plan.tables = tables
    return SchemaNaming(
      plan: plan, isFilled: tables.map { $0.columns.map { _ in false } }
    ).schema()
  }

  private func columnNames(_ sources: [TablePlan.Source]) -> [String] {
    schema([table(.init(local: "t"), sources)]).tables[0].columns.map(\.name)
  }

  private func attribute(_ name: String, prefix: String? = nil) -> TablePlan.Source {
    .attribute(.init(local: name, prefix: prefix, namespace: prefix.map { "urn:\($0)" }))
  }

  @Test func `names that differ in the case of ASCII letters only get numbers`() {
    #expect(
      columnNames([.generatedKey, attribute("Name"), attribute("name"), attribute("NAME")])
        == ["id", "Name", "name_2", "NAME_3"])
    #expect(columnNames([.generatedKey, attribute("É"), attribute("é")]) == ["id", "É", "é"])
  }

  @Test func `a number makes no name that another has of its own`() {
    #expect(
      columnNames([.generatedKey, attribute("a"), attribute("A"), attribute("A_2")])
        == ["id", "a", "A_3", "A_2"])
    let names = ["t", "T", "t_2"].map { table(.init(local: $0), [.generatedKey]) }
    #expect(schema(names).tables.map(\.name) == ["t", "T_3", "t_2"])
  }

  @Test func `prefixes stay where names would clash, and only there`() {
    #expect(
      columnNames([.generatedKey, attribute("a", prefix: "x"), attribute("a", prefix: "y")])
        == ["id", "x:a", "y:a"])
    #expect(columnNames([.generatedKey, attribute("a", prefix: "x")]) == ["id", "a"])
    #expect(
      columnNames([.generatedKey, attribute("a"), attribute("a", prefix: "y")])
        == ["id", "a", "y:a"])
  }

  @Test func `names that are made give way to those of the document`() {
    #expect(columnNames([.generatedKey, .text, attribute("text")]) == ["id", "text_2", "text"])
    #expect(columnNames([.generatedKey, attribute("ID")]) == ["_id", "ID"])
    #expect(
      columnNames([.generatedKey, attribute("ID"), attribute("_id")]) == ["_id_2", "ID", "_id"])
    #expect(
      columnNames([.generatedKey, .parent(table: 0), attribute("parent_id")])
        == ["id", "parent_id_2", "parent_id"])
  }

  @Test(arguments: [
    ("sqlite_master", "_sqlite_master"), ("SQLITE_x", "_SQLITE_x"), ("_seed", "__seed"),
    ("_Seedling", "__Seedling"), ("sqlite", "sqlite"), ("seed", "seed"),
  ])
  func `names that SQLite or the stamp keep for themselves get an underscore`(
    given: String, expected: String
  ) {
    #expect(schema([table(.init(local: given), [.generatedKey])]).tables[0].name == expected)
  }

  @Test func `names that are equal in meaning but not in code units stay two`() {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    let names = schema([
      table(.init(local: composed), [.generatedKey]),
      table(.init(local: decomposed), [.generatedKey]),
    ]).tables.map(\.name)
    #expect(names.map { Array($0.utf8) } == [composed, decomposed].map { Array($0.utf8) })
  }

  @Test func `an index whose name is a table's gets a number`() {
    let tables = [
      table(.init(local: "a"), [.generatedKey]),
      table(.init(local: "b"), [.generatedKey, .parent(table: 0)]),
      table(.init(local: "b_a_id"), [.generatedKey]),
    ]
    #expect(schema(tables).tables[1].indexes.map(\.name) == ["b_a_id_2"])
  }

  @Test func `what is no plain identifier is quoted, and nothing else`() {
    let script = schema([
      table(
        .init(local: "order"), [.generatedKey, attribute("a\"b"), attribute("plain_1"), .text])
    ]).script
    #expect(
      script == """
        CREATE TABLE "order" (
          id TEXT PRIMARY KEY,
          "a""b" TEXT,
          plain_1 TEXT,
          text TEXT
        );

        """)
  }
}
