package import SeedModel

/// What a build would make of its inputs by itself, as the rules that say the same.
package struct BuildOutline: Sendable, Hashable {
  /// The records at one path of one input.
  package struct Record: Sendable, Hashable {
    /// The input, by its number in the order given.
    package var input: Int
    /// The table, and what each of its columns that has values in these records is made from.
    package var rule: RecordRule

    /// Creates a description of some records.
    package init(input: Int, rule: RecordRule) {
      self.input = input
      self.rule = rule
    }
  }

  /// The name that the stamp would have.
  package var name: String
  /// The records in the order of the tables.
  package var records: [Record]

  /// Creates an outline.
  package init(name: String, records: [Record]) {
    self.name = name
    self.records = records
  }
}
