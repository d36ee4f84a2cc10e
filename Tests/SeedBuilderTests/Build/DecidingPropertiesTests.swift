import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct DecidingPropertiesTests {
  /// Fails when a property is named neither as deciding nor as irrelevant, or as both.
  private func check<Options: DecidingProperties>(_ options: Options) {
    let stored = Mirror(reflecting: options).children.compactMap(\.label)
    let deciding = options.decidingProperties.map(\.name)
    #expect(Set(deciding).count == deciding.count)
    #expect(Set(deciding).isDisjoint(with: Options.irrelevantProperties))
    #expect(
      Set(stored) == Set(deciding).union(Options.irrelevantProperties),
      "say in \(Options.self) whether each stored property decides the bytes of the output")
  }

  @Test func `every stored property of the options is deciding or irrelevant`() {
    check(BuildOptions(inputs: [], output: ""))
    check(BuildInput.file("a"))
    check(DelimitedLayout())
  }

  private static let changes: [@Sendable (inout BuildOptions) -> Void] = [
    { $0.inputs = [] }, { $0.inputs.append(.file("b.csv")) }, { $0.dateFormat = "dd.MM.yyyy" },
    { $0.dateFormat = "" }, { $0.timeZone = "UTC" }, { $0.pageSize = 512 },
    { $0.analyzes = true }, { $0.inputs = [.file("other.csv")] },
    { $0.inputs = [.file("a.tsv")] }, { $0.inputs[0].format = .csv },
    { $0.inputs[0].encoding = "UTF-16" }, { $0.inputs[0].recordName = "r" },
    { $0.inputs[0].layout.delimiter = 59 }, { $0.inputs[0].layout.quote = 39 },
    { $0.inputs[0].layout.columnNames = ["a", "b"] },
    { $0.inputs[0].layout.columnNames = ["a 1\nb"] },
  ]

  @Test func `each option that decides has a text of its own`() {
    let texts = Self.changes.map { change in
      var options = BuildOptions(inputs: [.file("a.csv")], output: "out.sqlite")
      change(&options)
      return options.digestText
    }
    let plain = BuildOptions(inputs: [.file("a.csv")], output: "out.sqlite").digestText
    #expect(Set(texts + [plain]).count == texts.count + 1)
  }

  @Test func `folders, the output's name and what is told do not count`() {
    let plain = BuildOptions(inputs: [.file("a.csv")], output: "out.sqlite")
    var other = BuildOptions(inputs: [.file("/some/where/a.csv")], output: "/else/x.sqlite")
    other.onProgress = { _ in }
    other.onDiagnostic = { _ in }
    other.recordsInputs = true
    other.writesManifest = true
    #expect(other.digestText == plain.digestText)
  }
}
