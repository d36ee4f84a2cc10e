import SeedBuilder

/// Which table refers to which, found by name as SQLite finds them.
struct ReferenceMap {
  /// A foreign key with the place of the table that it refers to.
  struct Key {
    var key: TableReport.ForeignKey
    /// The place of the table that has the key.
    var child: Int
    var childName: String
    /// The place of the table referred to; nil if there is none of that name.
    var parent: Int?

    /// The key in words: `item.order_id → order.id`.
    var label: String {
      let ends = [(childName, key.columns), (key.parentTable, key.parentColumns)].map {
        $1.isEmpty ? $0 : $1.count == 1 ? "\($0).\($1[0])" : "\($0) (\($1.joined(separator: ", ")))"
      }
      return ends.joined(separator: " → ")
    }
  }

  let tables: [TableReport]
  /// The foreign keys of each table.
  private(set) var outgoing: [[Key]]
  /// The foreign keys that lead to each table.
  private(set) var incoming: [[Key]]

  init(_ tables: [TableReport]) {
    self.tables = tables
    var places: [[UInt8]: Int] = [:]
    for (index, table) in tables.enumerated() { places[Self.folded(table.name)] = index }
    outgoing = tables.enumerated().map { index, table in
      table.foreignKeys.map { key in
        Key(
          key: key, child: index, childName: table.name,
          parent: places[Self.folded(key.parentTable)])
      }
    }
    incoming = tables.map { _ in [] }
    for key in outgoing.joined() {
      if let parent = key.parent { incoming[parent].append(key) }
    }
  }

  /// Whether a table is one of those that people think of as the database's tables.
  func isShownInDiagram(_ index: Int) -> Bool {
    switch tables[index].kind {
    case .table, .virtual: true
    case .shadow, .internal: false
    }
  }

  /// A name as SQLite compares it: only ASCII letters lose their case.
  ///
  /// As bytes, since strings that are equal in Swift may differ for SQLite.
  static func folded(_ name: String) -> [UInt8] {
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return name.utf8.map { letters.contains($0) ? $0 | 0x20 : $0 }
  }
}
