internal import SeedBuilder
internal import SeedModel

/// Finds rules that were of no use, once all inputs were read.
struct RuleCheck {
  let plan: StorePlan
  let mapping: MappingRules
  let documents: [InputDocument]
  let usage: RuleUsage
  let misfits: RowMisfits

  func run() {
    for (number, document) in documents.enumerated() {
      for (index, rule) in document.input.records.enumerated() {
        guard usage.isUsed(document: number, rule: index) else {
          reportUnused(rule, number)
          continue
        }
        guard !rule.isSkipped, usage.hasRecords(document: number, rule: index) else { continue }
        for (column, item) in rule.columns.enumerated()
        where !usage.isUsed(document: number, rule: index, column: column) {
          guard misfits.isEmpty else { continue }
          misfits.addOnce(
            "no record at \"\(rule.path.value)\" has a value at "
              + "\"\(item.from?.value ?? item.name.value)\"",
            hint: "correct the path, or give a default",
            at: .known(item.from?.location ?? item.name.location))
        }
      }
    }
    for (number, rule) in mapping.references.enumerated()
    where !usage.usedReferences.contains(number) {
      report(rule)
    }
    for rule in mapping.owned {
      misfits.addOnce(
        "a Core Data store has no place for what the seed owns", hint: "leave \"owned\" out",
        at: .known(rule.location))
    }
    for rule in mapping.indexes {
      misfits.addOnce(
        "the indexes of a Core Data store are those of its model",
        hint: "add a fetch index to entity \"\(rule.table)\" in the model",
        at: .known(rule.location))
    }
  }

  private func reportUnused(_ rule: RecordRule, _ document: Int) {
    let paths = (usage.paths[document] ?? []).sorted()
    let nearest = Suggestion.nearest(to: rule.path.value, in: paths)
    misfits.addOnce(
      "\(documents[document].name) has no records at \"\(rule.path.value)\"",
      hint: nearest.map { "did you mean \"\($0)\"?" }
        ?? (paths.isEmpty
          ? "it has no records at all"
          : "it has \(paths.prefix(8).joined(separator: ", "))"),
      at: .known(rule.path.location))
  }

  private func report(_ rule: ReferenceRule) {
    let place = RowMisfits.Place.known(rule.location ?? rule.from.location)
    for name in [rule.table, rule.targetTable] where plan.entities(matching: name).count != 1 {
      let nearest = Suggestion.nearest(to: name, in: plan.layout.entities.map(\.name))
      return misfits.addOnce(
        "the model has no entity \"\(name)\"",
        hint: nearest.map { "did you mean \"\($0)\"?" }
          ?? "it has \(plan.layout.entities.map(\.name).joined(separator: ", "))", at: place)
    }
    let (source, target) = (entity(rule.table), entity(rule.targetTable))
    guard case .relationship? = source.properties(matching: rule.column).first else {
      let names = source.relationships.map(\.name)
      return misfits.addOnce(
        "entity \"\(source.name)\" has no relationship \"\(rule.column)\"",
        hint: plan.hint(
          Suggestion.nearest(to: rule.column, in: names).map { "did you mean \"\($0)\"?" }
            ?? (names.isEmpty ? nil : "it has \(names.joined(separator: ", "))")), at: place)
    }
    guard case .attribute? = target.properties(matching: rule.targetColumn).first else {
      let names = target.attributes.map(\.model.name)
      return misfits.addOnce(
        "entity \"\(target.name)\" has no attribute \"\(rule.targetColumn)\"",
        hint: Suggestion.nearest(to: rule.targetColumn, in: names).map { "did you mean \"\($0)\"?" }
          ?? "it has \(names.joined(separator: ", "))", at: place)
    }
    // No objects, no values.
    let number = plan.entities(matching: rule.table)[0]
    guard usage.entities.contains(where: { plan.isKind($0, of: number) }) else { return }
    // Where records were not found, what should come of them is not there either.
    guard misfits.isEmpty else { return }
    misfits.addOnce(
      "no record of \"\(source.name)\" has a value at \"\(rule.from.value)\"",
      hint: "write @attribute, child, child/grandchild or .", at: .known(rule.from.location))
  }

  private func entity(_ name: String) -> EntityPlan {
    plan.entities[plan.entities(matching: name)[0]]
  }
}
