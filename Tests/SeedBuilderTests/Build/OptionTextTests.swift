import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct OptionTextTests {
  private static let plain = BuildOptions(inputs: [.file("a.csv")], output: "out.sqlite")

  private static func options(_ change: (inout BuildOptions) -> Void) -> BuildOptions {
    var options = plain
    change(&options)
    return options
  }

  private static func rule(_ change: (inout ColumnRule) -> Void = { _ in }) -> RecordRule {
    var column = ColumnRule(name: Located("c"))
    change(&column)
    var rule = RecordRule(path: Located("a/b"))
    rule.columns = [column]
    return rule
  }

  private static func streams(
    _ tables: [String], source: String? = nil, at place: SeedModel.SourceLocation? = nil
  ) -> StreamDeclaration {
    let rule = StreamRule(
      name: "s", tables: tables.map { StreamRule.Table(name: Located($0, at: place)) },
      source: source, location: place)
    return StreamDeclaration(rules: [rule]) { _, _, _ in [] }
  }

  private static let changes: [@Sendable (inout BuildOptions) -> Void] = [
    { $0.inputs = [] }, { $0.inputs.append(.file("b.csv")) }, { $0.dateFormat = "dd.MM.yyyy" },
    { $0.dateFormat = "" }, { $0.timeZone = "UTC" }, { $0.timeZone = "dd.MM.yyyy" },
    { $0.pageSize = 512 }, { $0.analyzes = true }, { $0.autoVacuum = .full },
    { $0.userVersion = 1 },
    { $0.applicationID = 1 }, { $0.seedName = "n" }, { $0.seedVersion = "n" },
    { $0.inputs = [.file("other.csv")] }, { $0.inputs = [.file("a.tsv")] },
    { $0.inputs[0].format = .csv }, { $0.inputs[0].encoding = "UTF-16" },
    { $0.inputs[0].recordName = "r" }, { $0.inputs[0].layout.delimiter = 59 },
    { $0.inputs[0].layout.quote = 59 }, { $0.inputs[0].layout.columnNames = ["a", "b"] },
    { $0.inputs[0].layout.columnNames = ["a;1:b"] }, { $0.inputs[0].layout.columnNames = [] },
    { $0.inputs[0].records = [rule()] }, { $0.inputs[0].records = [rule { $0.isTrimmed = true }] },
    { $0.inputs[0].records = [rule { $0.constant = Located(.integer(1)) }] },
    { $0.inputs[0].records = [rule { $0.constant = Located(.string("1")) }] },
    { $0.inputs[0].records = [rule { $0.constant = Located(.null) }] },
    { $0.inputs[0].records = [rule { $0.constant = Located(["a": 1]) }] },
    { $0.inputs[0].records = [rule { $0.type = Located(.date) }] },
    { $0.inputs[0].envelope = EnvelopeRule(success: "ok") },
    { $0.inputs[0].envelope = EnvelopeRule(message: "ok") },
    { $0.streams = streams(["t"]) }, { $0.streams = streams(["t", "u"]) },
    { $0.mapping.schema = Located("s.sql") }, { $0.mapping.ignoresExtra = true },
    { $0.mapping.indexes = [IndexRule(table: "t", columns: ["a", "b"])] },
    { $0.mapping.indexes = [IndexRule(table: "t", columns: ["a", "b"], isUnique: true)] },
  ]

  @Test func `each option that decides the bytes has a text of its own`() {
    let texts = (Self.changes.map { Self.options($0) } + [Self.plain]).map(\.digestText)
    #expect(Set(texts).count == texts.count)
  }

  @Test func `the same options have the same text`() {
    for change in Self.changes {
      #expect(Self.options(change).digestText == Self.options(change).digestText)
    }
  }

  @Test func `folders, places in a project file and what is told do not count`() {
    let place = SourceLocation(file: "/some/where/seed.json", line: 3, column: 7)
    let other = Self.options {
      $0.inputs = [.file("/some/where/a.csv")]
      $0.output = "/else/x.sqlite"
      $0.onProgress = { _ in }
      $0.onDiagnostic = { _ in }
      $0.recordsInputs = true
      $0.writesManifest = true
    }
    #expect(other.digestText == Self.plain.digestText)
    let rules = [nil, place].map { place in
      Self.options {
        $0.mapping.schema = Located(place?.file ?? "s.sql", at: place)
        $0.mapping.indexes = [IndexRule(table: "t", columns: ["a"], location: place)]
        $0.inputs[0].records = [Self.rule { $0.from = Located("@c", at: place) }]
        $0.streams = Self.streams(["t"], source: place?.file, at: place)
      }.digestText
    }
    #expect(rules[0] == rules[1])
    #expect(!rules[1].contains("where"))
  }

  @Test func `only properties that exist are excepted, and closures are`() {
    let options = Self.plain
    for (value, texts) in [
      (options as Any, options.decidingTexts),
      (options.inputs[0] as Any, options.inputs[0].decidingTexts),
      (options.mapping as Any, options.mapping.decidingTexts),
      (Self.streams([]) as Any, Self.streams([]).decidingTexts),
      (Self.streams(["t"]).rules[0] as Any, Self.streams(["t"]).rules[0].decidingTexts),
    ] {
      let properties = Mirror(reflecting: value).children
      #expect(Set(texts.keys).isSubset(of: properties.compactMap(\.label)))
      // A closure has no text that says anything.
      for property in properties where "\(type(of: property.value))".contains("->") {
        #expect(texts.keys.contains(property.label ?? ""), "except \(property.label ?? "")")
      }
    }
  }

  @Test func `sets and dictionaries have one text whatever their order`() {
    let numbers = Array(0..<50).map { "\($0)" }
    #expect(
      OptionText.text(of: Set(numbers)) == OptionText.text(of: Set(numbers.reversed())))
    let pairs = numbers.map { ($0, $0 + "x") }
    #expect(
      OptionText.text(of: Dictionary(uniqueKeysWithValues: pairs))
        == OptionText.text(of: Dictionary(uniqueKeysWithValues: pairs.reversed())))
  }
}
