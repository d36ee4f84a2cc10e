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
      columns.firstIndex {
        if case .attribute(let own) = $0.source { own.local == name } else { false }
      }
    case .named(let name):
      columns.firstIndex {
        if case .child(let own) = $0.source { own.local == name } else { false }
      }
        ?? column(.attribute(name))
    }
  }

  /// What a path to a column is written as.
  func pathText(of column: Int, isXML: Bool) -> String? {
    switch columns[column].source {
    case .attribute(let name): isXML ? "@\(name.local)" : name.local
    case .child(let name): name.local
    case .text: "."
    case .generatedKey, .line, .place, .parent: nil
    }
  }
}
