internal import SeedModel

/// A table of the schema that a build fills.
struct TargetTable {
  struct Column {
    var name: String
    /// The declared type as it stands in the schema; empty when there is none.
    var declaredType: String
    var isNotNull: Bool
    /// The text of the DEFAULT clause.
    var defaultSQL: String?
    /// The column's place in the primary key, from 1; 0 when it is no part of it.
    var keyPosition: Int
    /// Whether SQLite computes the value.
    var isGenerated: Bool
  }

  struct ForeignKey {
    var table: String
    /// The columns that refer and those that they refer to.
    var columns: [(from: String, to: String)]
  }

  var name: String
  var columns: [Column]
  var foreignKeys: [ForeignKey] = []
  var isStrict = false
  var isWithoutRowID = false
  var isVirtual = false
  /// Whether a constraint says what becomes of a row that breaks it: `ON CONFLICT IGNORE`.
  var hasConflictClause = false

  /// The column that is another name of the rowid (sqlite.org/lang_createtable.html, "ROWIDs and
  /// the INTEGER PRIMARY KEY").
  var rowIDAlias: Int? {
    let keys = columns.indices.filter { columns[$0].keyPosition > 0 }
    guard !isWithoutRowID, !isVirtual, keys.count == 1,
      columns[keys[0]].declaredType.uppercased() == "INTEGER"
    else { return nil }
    return keys[0]
  }

  /// The only column of the primary key; nil when there are several or none.
  var soleKey: Int? {
    let keys = columns.indices.filter { columns[$0].keyPosition > 0 }
    return keys.count == 1 ? keys[0] : nil
  }

  /// The column that SQL text calls by a name.
  func column(named name: String) -> Int? {
    if let exact = columns.firstIndex(where: { SchemaNaming.isSame($0.name, name) }) {
      return exact
    }
    let folded = SchemaNaming.folded(name)
    return columns.firstIndex { SchemaNaming.folded($0.name) == folded }
  }

  /// The column of a name, without regard to case and `_`.
  func column(matching name: String) -> Int? {
    if let exact = column(named: name) { return exact }
    let folded = NameMatch.folded(name)
    return columns.firstIndex { NameMatch.folded($0.name) == folded }
  }
}

/// Names in files and in schemas match without regard to case and `_`: `timeStamp` = `time_stamp`.
package enum NameMatch {
  /// The name without what does not count.
  package static func folded(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars where scalar != "_" {
      switch scalar {
      case "A"..."Z": result.unicodeScalars.append(UnicodeScalar(UInt8(scalar.value) | 0x20))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
