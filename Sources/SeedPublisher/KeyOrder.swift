internal import SeedSQLite
internal import SeedStreams

/// How the rows of a table are put in order: by their key, as SQLite compares it.
struct KeyOrder {
  /// The collations of the key's columns, which come first in every row.
  let collations: [TextCollation]

  /// The order of a table's rows.
  ///
  /// - Throws: ``StreamPublishError`` when only some application knows a collation.
  init(_ table: PublishedTable, path: String) throws(StreamPublishError) {
    var collations: [TextCollation] = []
    for name in table.keyCollations {
      guard let collation = TextCollation(named: name) else {
        throw StreamPublishError(
          .unknownCollation(table: table.table.name, collation: name), path: path)
      }
      collations.append(collation)
    }
    self.collations = collations
  }

  /// The number of the key's columns.
  var count: Int { collations.count }

  /// Which of two rows comes first; zero when they have the same key.
  @inline(__always)
  func compare(_ first: (Int) -> StoredCell, _ second: (Int) -> StoredCell) -> Int {
    for index in 0..<collations.count {
      let order = StoredCell.order(first(index), second(index), collations[index])
      if order != 0 { return order }
    }
    return 0
  }

  /// Whether two keys are written with the same bytes.
  func isSpelledAlike(_ first: (Int) -> StoredCell, _ second: (Int) -> StoredCell) -> Bool {
    (0..<collations.count).allSatisfy { first($0).isSame(as: second($0)) }
  }

  /// The terms of ORDER BY that give this order.
  ///
  /// In a database in UTF-16, SQLite's own BINARY would compare other bytes.
  func terms(_ table: PublishedTable, isUTF8: Bool) -> String {
    zip(table.table.key, collations).map { name, collation in
      let isOwn = collation == .binary && !isUTF8
      return "\(SQLiteName.quoted(name)) COLLATE "
        + (isOwn ? Connection.byteOrderCollation : collation.rawValue)
    }.joined(separator: ", ")
  }
}
