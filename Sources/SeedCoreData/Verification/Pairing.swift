internal import SeedSQLite

/// The two keys of a one-to-one relationship, and how to make them lead to one another.
struct Pairing {
  /// The table of the key that counts where the two differ.
  var table: String
  var key: String
  /// The column with the entity of what the key refers to.
  var entity: String?
  /// Whether the key is never NULL.
  var isRequired: Bool
  /// The table referred to, with its own key.
  var target: String
  var back: String
  var backEntity: String?
  var isBackRequired: Bool

  /// What to do.
  ///
  /// Whichever side it begins with, both agree after it, so that it changes nothing any more when it
  /// is run for the other side.
  var remedy: String {
    let statements = ([fill] + (isRequired ? [] : [release]) + [lead]).joined(separator: " ")
    let first =
      isRequired
      ? "give each row of \"\(table)\" a row of \"\(target)\" of its own, and then run: "
      : "set either key; or, where \"\(key)\" is right if the two differ, run: "
    return first + statements
  }

  private var names: (table: String, key: String, target: String, back: String) {
    (
      SQLiteName.quotedIfNeeded(table), SQLiteName.quotedIfNeeded(key),
      SQLiteName.quotedIfNeeded(target), SQLiteName.quotedIfNeeded(back)
    )
  }

  /// Sets the key where there is none to a row that leads here and that no other refers to.
  private var fill: String {
    let (table, key, target, back) = names
    func found(_ what: String) -> String {
      "(SELECT min(b.\(what)) FROM \(target) AS b WHERE b.Z_PK = (SELECT min(c.Z_PK) FROM \(target) "
        + "AS c WHERE c.\(back) = \(table).Z_PK AND \(Self.isFree("c", table, key))))"
    }
    return update(
      table, (key, found("Z_PK")), entity.map { ($0, found("Z_ENT")) },
      where: "\(key) IS NULL AND Z_PK IN (SELECT b.\(back) FROM \(target) AS b "
        + "WHERE \(Self.isFree("b", table, key)))")
  }

  /// Whether no row refers to one: of a list that is made once, for rows are being changed.
  private static func isFree(_ row: String, _ table: String, _ key: String) -> String {
    "\(row).Z_PK NOT IN (SELECT o.\(key) FROM \(table) AS o WHERE o.\(key) IS NOT NULL)"
  }

  /// Of several rows that refer to one, leaves the key to that to which it leads, or else the first.
  private var release: String {
    let (table, key, target, back) = names
    return update(
      table, (key, "NULL"), entity.map { ($0, "NULL") },
      where: "Z_PK IN (SELECT a.Z_PK FROM \(table) AS a JOIN \(target) AS b ON b.Z_PK = a.\(key) "
        + "LEFT JOIN \(table) AS m ON m.Z_PK = b.\(back) AND m.\(key) = b.Z_PK "
        + "WHERE a.Z_PK <> ifnull(m.Z_PK, "
        + "(SELECT min(o.Z_PK) FROM \(table) AS o WHERE o.\(key) = a.\(key))))")
  }

  /// Has the rows referred to lead back.
  private var lead: String {
    let (table, key, target, back) = names
    func found(_ what: String) -> String {
      "(SELECT min(o.\(what)) FROM \(table) AS o WHERE o.\(key) = \(target).Z_PK)"
    }
    return update(
      target, (back, found("Z_PK")), backEntity.map { ($0, found("Z_ENT")) },
      where: isBackRequired ? "Z_PK IN (SELECT o.\(key) FROM \(table) AS o)" : nil)
  }

  private func update(
    _ table: String, _ key: (column: String, value: String),
    _ entity: (column: String, value: String)?, where condition: String?
  ) -> String {
    "UPDATE \(table) SET \(key.column) = \(key.value)"
      + (entity.map { ", \(SQLiteName.quotedIfNeeded($0.column)) = \($0.value)" } ?? "")
      + (condition.map { " WHERE \($0)" } ?? "") + ";"
  }
}
