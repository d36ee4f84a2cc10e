import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct LoadPlannerTests {
  /// Each table as `name(column TYPE, …)`, with a star at the key.
  private func outline(_ plan: LoadPlan) -> [String] {
    plan.tables.map { table in
      let columns = table.columns.enumerated().map { index, column in
        let name =
          switch column.source {
          case .generatedKey: "#"
          case .parent(let parent): "^" + plan.tables[parent].name.local
          case .attribute(let name): "@" + name.local
          case .child(let name): name.local
          case .text: "text()"
          case .line: "line()"
          case .place: "place()"
          }
        return "\(name) \(column.type.declaredType)\(index == table.keyColumn ? "*" : "")"
      }
      return "\(table.name.local)(\(columns.joined(separator: ", ")))"
    }
  }

  private func outline(_ document: String) throws -> [String] {
    outline(try ObservedDocument(document).plan())
  }

  @Test func `columns come in the order in which the document has them`() throws {
    #expect(
      try outline("<r><v b='1'><x>2.5</x></v><v a='z'>t<y>true</y></v></r>")
        == ["v(# INTEGER*, @b INTEGER, x REAL, @a TEXT, text() TEXT, y BOOLEAN)"])
  }

  @Test func `the text of a record stands where its first text was, even of blanks`() throws {
    #expect(
      try outline("<r><v> </v><v a='1'>x</v></r>") == ["v(# INTEGER*, text() TEXT, @a INTEGER)"])
    #expect(try outline("<r><v> </v><v a='1'/></r>") == ["v(# INTEGER*, @a INTEGER)"])
  }

  @Test func `records of one name share a table and its columns`() throws {
    #expect(
      try outline("<r><a k='1'><n>1</n></a><b m='1'><a k='x'><n>2</n></a></b></r>")
        == ["a(# INTEGER*, @k TEXT, n INTEGER, ^b INTEGER)", "b(# INTEGER*, @m INTEGER)"])
  }

  @Test func `a place inside wrappers refers to the record around them`() throws {
    #expect(
      try outline("<r><o k='1'><w><x><i n='1'/><i n='2'/></x></w></o><o k='2'/></r>")
        == ["o(# INTEGER*, @k INTEGER)", "i(# INTEGER*, ^o INTEGER, @n INTEGER)"])
  }

  @Test func `nothing refers to a root that does not recur`() throws {
    #expect(
      try outline("<r v='1'><a k='1'/><a k='2'/></r>")
        == ["r(# INTEGER*, @v INTEGER)", "a(# INTEGER*, @k INTEGER)"])
    #expect(try outline("<r v='1'><r v='2'/></r>") == ["r(# INTEGER*, @v INTEGER, ^r INTEGER)"])
  }

  @Test func `the first id of integers is the key`() throws {
    let ids = "<r><v Id='x' ID='2' id='3'/><v Id='y' ID='4' id='5'/></r>"
    #expect(try outline(ids) == ["v(@Id TEXT, @ID INTEGER*, @id INTEGER)"])
    let names = ["v", "ID", "id"].map { QualifiedName(local: $0) }
    let first = LoadPlanner.RejectedKey(table: names[0], column: .attribute(names[1]))
    let second = LoadPlanner.RejectedKey(table: names[0], column: .attribute(names[2]))
    let document = try ObservedDocument(ids)
    #expect(
      outline(document.plan(rejecting: [first]))
        == ["v(@Id TEXT, @ID INTEGER, @id INTEGER*)"])
    #expect(
      outline(document.plan(rejecting: [first, second]))
        == ["v(# INTEGER*, @Id TEXT, @ID INTEGER, @id INTEGER)"])
  }

  @Test func `an id that is given up as an attribute may be a key as a child`() throws {
    let name = QualifiedName(local: "id")
    let rejected = LoadPlanner.RejectedKey(
      table: QualifiedName(local: "v"), column: .attribute(name))
    let document = try ObservedDocument("<r><v id='1'><id>1</id></v><v id='1'><id>2</id></v></r>")
    #expect(
      outline(document.plan(rejecting: [rejected])) == ["v(@id INTEGER, id INTEGER*)"])
  }

  @Test func `after eight columns called id no more are tried`() throws {
    let prefixes = (0..<9).map { "p\($0)" }
    let declarations = prefixes.map { " xmlns:\($0)='urn:\($0)'" }.joined()
    let attributes = prefixes.map { " \($0):id='1'" }.joined()
    let document = try ObservedDocument("<r\(declarations)><v\(attributes)/><v\(attributes)/></r>")
    func key(after count: Int) -> TablePlan.Source {
      let rejected = prefixes.prefix(count).map {
        LoadPlanner.RejectedKey(
          table: QualifiedName(local: "v"),
          column: .attribute(QualifiedName(local: "id", prefix: $0, namespace: "urn:\($0)")))
      }
      let table = document.plan(rejecting: Set(rejected)).tables[0]
      return table.columns[table.keyColumn].source
    }
    #expect(
      key(after: 7)
        == .attribute(QualifiedName(local: "id", prefix: "p7", namespace: "urn:p7")))
    #expect(key(after: 8) == .generatedKey)
  }

  @Test func `a key comes late only where the table keeps it`() throws {
    let v = QualifiedName(local: "v")
    let kept = try ObservedDocument("<r><v><c n='1'/><id>1</id></v><v><id>2</id></v></r>")
    #expect(kept.plan(late: [v]).tables[0].keyComesLate)
    let lost = try ObservedDocument("<r><v><c n='1'/><id>x</id></v><v><id>2</id></v></r>")
    #expect(!lost.plan(late: [v]).tables[0].keyComesLate)
  }

  @Test func `every table below a recursive element may have nested rows`() throws {
    let document = try ObservedDocument(
      "<r><a><o n='1'><a><o n='2'/></a></o></a><b n='1'/><b n='2'/></r>")
    let tables = document.plan().tables
    #expect(tables.map(\.name.local) == ["a", "o", "b"])
    #expect(tables.map(\.isRecursive) == [true, true, false])
  }

  @Test func `wrappers directly below a record have marks of their own`() throws {
    let plan = try ObservedDocument(
      """
      <r><o k='1'><w><i n='1'/><i n='2'/></w><x><y><j n='1'/><j n='2'/></y></x></o>\
      <z><l n='1'/><l n='2'/></z></r>
      """
    ).plan()
    let wrappers = plan.roles.filter { $0.kind == .wrapper }.map(\.index)
    #expect(wrappers == [0, 1, -1, -1])
    #expect(plan.markCounts == [2, 0, 0, 0])
  }
}

@Suite struct LoadPlanTests {
  private func plan(_ document: String) throws -> LoadPlan { try ObservedDocument(document).plan() }

  @Test(arguments: [
    ("<r><v a='1'/><v a='2'/></r>", "<r><v a='1'/><v a='2' b='x'/></r>"),
    ("<r><v a='1'/><v a='2'/></r>", "<r><v a='1'/><v a='2'/><u b='x'/></r>"),
    ("<r><v a='1'/><v a='2'/></r>", "<r><v a='1'/><v a='2'><c>x</c></v></r>"),
  ])
  func `rows stay as they are when columns and tables are added`(
    before: String, after: String
  ) throws {
    #expect(try plan(before).canBecome(plan(after)))
    #expect(try !plan(after).canBecome(plan(before)))
  }

  @Test(arguments: [
    ("a type", "<r><v a='1'/><v a='2'/></r>", "<r><v a='1'/><v a='x'/></r>"),
    ("a date form", "<r><v a='2010-01-16'/></r>", "<r><v a='16.01.2010'/></r>"),
    ("a key", "<r><v a='x'/><v a='y'/></r>", "<r><v a='x'/><v a='y' id='1'/></r>"),
    (
      "a scalar", "<r><v k='1'><c>1</c></v></r>", "<r><v k='1'><c>1</c><c>2</c></v></r>"
    ),
    (
      "a wrapper", "<r><v k='1'><w><c>1</c><c>2</c></w></v></r>",
      "<r><v k='1'><w>x<c>1</c><c>2</c></w></v></r>"
    ),
    ("a container", "<r><v k='1'/></r>", "<r>x<v k='1'/></r>"),
    ("an order", "<r><v a='1'/></r>", "<r><u b='x'/><v a='1'/></r>"),
    (
      "a nesting", "<r><v a='1'><u b='1'/></v></r>", "<r><v a='1'><u b='1'><v a='2'/></u></v></r>"
    ),
  ])
  func `what changes stored rows needs another reading`(
    what: String, before: String, after: String
  ) throws {
    #expect(try !plan(before).canBecome(plan(after)), "\(what)")
  }
}
