import SeedModel
import SeedProject
import Testing

@Suite struct ProjectDecoderTests {
  private func place(_ line: Int, _ column: Int) -> SeedModel.SourceLocation {
    SeedModel.SourceLocation(file: "seed.json", line: line, column: column)
  }

  @Test func `a project says its outputs and its schema with their places`() throws {
    let project = try Fixture.named("valid/events").project()
    #expect(project.path == "seed.json")
    #expect(project.name == Located("events", at: place(3, 11)))
    #expect(project.version?.value == "1.0")
    #expect(project.output == Located("default.sqlite", at: place(5, 13)))
    #expect(project.schema == Located("schema.sql", at: place(6, 13)))
    #expect(project.sources.count == 3)
  }

  @Test func `a file has rules for its records`() throws {
    let source = try #require(try Fixture.named("valid/events").project().sources.first)
    #expect(source.origin == .file(Located("Events.xml", at: place(9, 15))))
    #expect(source.location == place(8, 5))
    var rule = RecordRule(path: Located("Events/Event", at: place(11, 9)))
    rule.table = Located("event", at: place(12, 20))
    var column = ColumnRule(name: Located("time_stamp", at: place(14, 13)))
    column.from = Located("@timeStamp", at: place(14, 37))
    column.type = Located(.date, at: place(14, 59))
    column.format = Located("dd.MM.yyyy", at: place(14, 77))
    rule.columns = [column]
    #expect(source.records == [rule])
  }

  @Test func `an address has headers, an envelope and records`() throws {
    let source = try Fixture.named("valid/events").project().sources[1]
    guard case .url(let url, let headers) = source.origin else {
      Issue.record("\(source.origin)")
      return
    }
    #expect(url.value == "https://example.com/collect")
    #expect(headers.map(\.name) == ["Accept", "Authorization"])
    #expect(headers.map(\.value) == [.text("application/json"), .environment("API_TOKEN")])
    #expect(source.format == .json)
    #expect(source.envelope == EnvelopeRule(success: "success", message: "message"))
    #expect(source.records.map(\.path.value) == ["data/notes", "data/stat"])
    #expect(source.records.map(\.table?.value) == ["note", "stat"])
  }

  @Test func `a header may have variables in its text, and pages a limit`() throws {
    let source = try Fixture.named("valid/addresses").project().sources[0]
    guard case .url(_, let headers) = source.origin else {
      Issue.record("\(source.origin)")
      return
    }
    #expect(headers.map(\.value) == [.template("Bearer ${API_TOKEN}")])
    #expect(source.pageLimit == 5_000)
  }

  private func said(_ sources: String) -> [String] {
    let bytes = Array("{ \"sources\": [\(sources)] }".utf8)
    do {
      _ = try ProjectFile.decode(bytes, path: "seed.json")
      return []
    } catch {
      return error.diagnostics.map { "\($0.location?.column ?? 0): \($0.message)" }
    }
  }

  @Test func `resources that fill the same tables are an error that names both`() {
    func server(_ resources: String) -> String {
      """
      { "hyperhive": { "host": "https://example.com", "environment": "e", "project": "p", \
      "device": "d", "resources": [\(resources)] } }
      """
    }
    let uncached = #"{ "name": "r", "withCache": false }"#
    let found = said(server(uncached) + ", " + server(#"{ "name": "R", "withCache": false }"#))
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.contains("the resource \"R\" fills the same tables as that at seed.json:1:")
        == true)
    #expect(said(server("\"r\", \"r\"")).count == 1)
    #expect(
      said(server("\"r\", \(uncached), { \"name\": \"r\", \"params\": { \"a\": 1 } }")) == [])
  }

  @Test(arguments: ["sqlite_x", "_SEED_x"])
  func `a source's table has no reserved name`(name: String) {
    let found = said(#"{ "file": "a.csv", "table": "\#(name)" }"#)
    #expect(found.count == 1)
    #expect(
      found.first?.hasSuffix("\"\(name)\" cannot be the value of \"table\"") == true, "\(found)")
  }

  @Test func `a HyperHive server has resources with and without parameters`() throws {
    let source = try Fixture.named("valid/events").project().sources[2]
    let resources: [HyperHiveSource.Resource] = [
      .init(name: "test_resource"),
      .init(
        name: "with_parameters", withCache: false,
        parameters: ["p1": "a", "p2": [1, .number(2.5)]]),
      .init(name: "bare_name"),
    ]
    #expect(
      source.origin
        == .hyperHive(
          HyperHiveSource(
            host: "https://example.com", api: "v1", environment: "env", project: "prj",
            device: "ci", username: .environment("FMP_USER"),
            password: .environment("FMP_PASSWORD"), resources: resources)))
  }

  @Test func `references, indexes, owned tables and streams are taken apart`() throws {
    let project = try Fixture.named("valid/names").project()
    let reference = try #require(project.references.first)
    #expect(reference.table == "my.item" && reference.column == "the \"id\"")
    #expect(reference.from.value == "kind/@code")
    #expect(reference.targetTable == "kind" && reference.targetColumn == "code")
    #expect(reference.location == place(5, 5))
    let indexes = project.indexes.map { index in
      var index = index
      index.location = nil
      return index
    }
    #expect(
      indexes == [
        IndexRule(table: "event", columns: ["a", "b, c"], isUnique: true),
        IndexRule(table: "my event", columns: ["a"], isUnique: true),
        IndexRule(table: "unique", columns: ["a"]),
        IndexRule(table: "event", columns: ["a", "b"]),
        IndexRule(name: "by_day", table: "event", columns: ["day"], isUnique: true),
      ])
    #expect(project.owned.map(\.table) == ["note", "event"])
    #expect(project.owned.map(\.columns) == [[], ["a", "b"]])
    #expect(project.streams.map(\.name) == ["all"])
    let tables = project.streams.first?.tables ?? []
    #expect(tables.map(\.name.value) == ["event", "note", "product"])
    #expect(tables.map { $0.key?.map(\.value) } == [nil, nil, ["sku"]])
    #expect(tables.map { $0.columns?.map(\.value) } == [nil, nil, ["title", "price"]])
    #expect(tables.last?.name.location?.line == 17)
    #expect(project.streams.first?.source == "public/all/v1")
  }

  @Test func `the numbers of the database are as SQLite stores them`() throws {
    let project = try Fixture.named("valid/database").project()
    #expect(project.userVersion?.value == 7)
    #expect(project.applicationID?.value == 0x5365_6564)
    #expect(
      project.pragmas.map(\.name.value)
        == ["page_size", "auto_vacuum", "encoding", "journal_mode"])
    #expect(project.pragmas.map(\.value) == [8192, "incremental", "UTF-8", "delete"])
    #expect(project.dateFormat?.value == "dd.MM.yyyy")
    #expect(project.timeZone?.value == "Europe/Berlin")
    #expect(project.ignoresExtra && project.analyzes)
    #expect(try Fixture.named("valid/names").project().applicationID?.value == -1)
  }

  @Test func `columns have all that can be declared of them`() throws {
    let source = try #require(try Fixture.named("valid/columns").project().sources.first)
    let record = try #require(source.records.first)
    #expect(record.onlyNamedColumns && !record.isSkipped)
    let columns = Dictionary(uniqueKeysWithValues: record.columns.map { ($0.name.value, $0) })
    #expect(columns["nested"]?.from?.value == "price/amount")
    #expect(columns["text"]?.from?.value == ".")
    #expect(columns["price"]?.type?.value == .decimal)
    #expect(columns["price"]?.defaultValue?.value == 0)
    #expect(columns["price"]?.nullTexts == ["n/a"])
    #expect(columns["price"]?.isTrimmed == true)
    #expect(columns["stock"]?.nullTexts == ["", "-"])
    #expect(columns["stock"]?.defaultValue?.value == JSONValue.null)
    #expect(columns["day"]?.format?.value == "M/d/yyyy")
    #expect(columns["weight"]?.constant?.value == .number(1.5))
    #expect(columns["empty"]?.from == nil)
    #expect(source.records.map(\.isSkipped) == [false, true, false])
    let types = Set(record.columns.compactMap(\.type?.value))
    #expect(types == Set(DeclaredType.allCases))
  }

  @Test func `delimited text has its layout`() throws {
    let sources = try Fixture.named("valid/delimited").project().sources
    #expect(sources[0].format == .csv)
    #expect(sources[0].encoding == "ISO-8859-1")
    #expect(sources[0].table?.value == "city")
    #expect(
      sources[0].layout
        == DelimitedLayout(
          delimiter: UInt8(ascii: ";"), quote: UInt8(ascii: "'"),
          columnNames: ["name", "population"]))
    #expect(sources[0].records.first?.path.value == "*")
    #expect(sources[1].layout == DelimitedLayout(quote: DelimitedLayout.noQuote, columnNames: []))
    #expect(sources[2].layout.delimiter == 9)
  }
}
