internal import SeedModel

/// Where a column's value comes from, as ``ColumnRule/from`` writes it.
package struct FieldPath: Equatable {
  /// The last part of a path.
  package enum Leaf: Equatable {
    /// `@name`: an attribute, or the member of an object.
    case attribute(String)
    /// `name`: a child with nothing but text, an attribute or a member.
    case named(String)
    /// `.`: the record's own text.
    case text
  }

  /// How many records outwards the path begins: one for each `../`.
  package var levelsUp = 0
  /// The records below, each at most once, through which the path goes.
  package var records: [String] = []
  package var leaf: Leaf

  /// Reads a path; nil when it has an empty part.
  package init?(_ text: String) {
    var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    while parts.count > 1, parts[0] == ".." {
      levelsUp += 1
      parts.removeFirst()
    }
    guard let last = parts.popLast(), !last.isEmpty, !parts.contains(where: \.isEmpty),
      last != "@", last != ".."
    else { return nil }
    records = parts.filter { $0 != "." }
    if last == "." {
      leaf = .text
    } else if last.hasPrefix("@") {
      leaf = .attribute(String(last.dropFirst()))
    } else {
      leaf = .named(last)
    }
  }
}

extension StagedTable {
  /// The column that a leaf names.
  func column(_ leaf: FieldPath.Leaf) -> Int? {
    switch leaf {
    case .text: columns.firstIndex { $0.source == .text }
    case .attribute(let name):
      firstColumn(called: name) {
        if case .attribute(let own) = $0 { own } else { nil }
      }
    case .named(let name):
      firstColumn(called: name) {
        if case .child(let own) = $0 { own } else { nil }
      } ?? column(.attribute(name))
    }
  }

  /// The first column of a name; its prefix tells it from others.
  private func firstColumn(
    called text: String, _ name: (TablePlan.Source) -> QualifiedName?
  ) -> Int? {
    columns.firstIndex { name($0.source).map { SchemaNaming.isSame($0.local, text) } ?? false }
      ?? columns.firstIndex { name($0.source)?.local == text }
      ?? columns.firstIndex {
        name($0.source).flatMap { own in own.prefix.map { "\($0):\(own.local)" } } == text
      }
  }

  /// What a path to a column is written as; nil when none leads there.
  func pathText(of column: Int, isXML: Bool) -> String? {
    let ways: [String]
    switch columns[column].source {
    case .attribute(let name):
      let names = [name.local] + (name.prefix.map { ["\($0):\(name.local)"] } ?? [])
      ways = (isXML ? [] : names) + names.map { "@" + $0 } + names.map { "./@" + $0 }
    case .child(let name):
      ways = [name.local] + (name.prefix.map { ["\($0):\(name.local)"] } ?? [])
    case .text: ways = [".", "./."]
    case .generatedKey, .line, .place, .parent: ways = []
    }
    return ways.first { self.column(at: $0) == column }
  }

  /// The column that a path leads to within the records themselves.
  private func column(at text: String) -> Int? {
    if let column = column(.named(text)) { return column }
    guard let path = FieldPath(text), path.levelsUp == 0, path.records.isEmpty else { return nil }
    return column(path.leaf)
  }
}
