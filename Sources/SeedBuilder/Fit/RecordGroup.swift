internal import SeedModel

/// Records of one name that go to one table by one rule.
struct RecordGroup {
  /// The staged table, by number.
  var staged: Int
  var places: [Int]
  /// The rule for them, with the number of the input that it stands with.
  var rule: RecordRule?
  /// What the table is to be called.
  var tableName: String
  /// The columns that staged columns go to besides those of the rule; nil to go by their names.
  var explicit: [ExplicitColumn]?

  /// A column of the table with the staged column that it is made from.
  struct ExplicitColumn {
    var name: String
    var column: Int
  }

  /// The paths of the records, for messages.
  func path(_ input: StagedInput) -> String { places.first.map(input.path) ?? "" }
}

/// Sorts staged records into groups by the rules of the inputs.
struct RecordGrouping {
  private let staged: StagedInput
  private(set) var groups: [RecordGroup] = []
  /// The places of records that rules leave out.
  private(set) var skippedPlaces: Set<Int> = []

  private struct Key: Hashable {
    var staged: Int
    var document: Int
    var rule: Int
  }

  init(_ staged: StagedInput, report: inout MisfitReport) {
    self.staged = staged
    var indexOfKey: [Key: Int] = [:]
    var usedRules: Set<Key> = []
    for (number, table) in staged.tables.enumerated() {
      for place in table.places {
        let document = staged.document(of: place)
        let rules = staged.documents[document].input.records
        let ruleIndex = staged.rule(for: place, among: rules)
        let rule = ruleIndex.map { rules[$0] }
        if let ruleIndex { usedRules.insert(Key(staged: 0, document: document, rule: ruleIndex)) }
        if rule?.isSkipped == true {
          skippedPlaces.insert(place)
          continue
        }
        // Without a rule the input does not matter: records of one name share a table.
        let key = Key(
          staged: number, document: rule == nil ? -1 : document, rule: ruleIndex ?? -1)
        if let known = indexOfKey[key] {
          groups[known].places.append(place)
          continue
        }
        indexOfKey[key] = groups.count
        groups.append(
          RecordGroup(
            staged: number, places: [place], rule: rule,
            tableName: rule?.table?.value ?? table.name.local))
      }
    }
    reportUnused(usedRules, &report)
  }

  private static func list(_ paths: [String]) -> String {
    guard !paths.isEmpty else { return "it has no records at all" }
    return "it has records at \(Set(paths).sorted().prefix(8).joined(separator: ", "))"
  }

  private func reportUnused(_ used: Set<Key>, _ report: inout MisfitReport) {
    for (document, input) in staged.documents.enumerated() {
      let paths = staged.tables.flatMap {
        $0.places.filter { staged.document(of: $0) == document }.map(staged.path)
      }
      for (index, rule) in input.input.records.enumerated()
      where !used.contains(Key(staged: 0, document: document, rule: index)) {
        let nearest = Suggestion.nearest(to: rule.path.value, in: paths)
        report.add(
          "\(input.name) has no records at \"\(rule.path.value)\"", at: rule.path.location,
          hint: nearest.map { "did you mean \"\($0)\"?" }
            ?? RecordGrouping.list(paths))
      }
    }
  }
}
