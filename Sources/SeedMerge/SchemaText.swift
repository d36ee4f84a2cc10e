/// What can be told from the SQL that made a table or an index.
package enum SchemaText {
  /// A column's definition in a CREATE TABLE, word for word, as ALTER TABLE ADD COLUMN takes it.
  ///
  /// - Returns: Nil if the table is made without such a column, or in a form other than a list.
  package static func columnDefinition(of column: String, in sql: String) -> String? {
    SQLNames.definition(of: column, in: sql)
  }

  /// Whether two statements say the same: spaces, comments and quotes around names, and the case of
  /// ASCII letters outside of literals, do not count.
  package static func isSame(_ first: String, _ second: String) -> Bool {
    let (one, other) = (SQLNames.foldedTokens(first), SQLNames.foldedTokens(second))
    return one == other
  }
}

extension SQLNames {
  /// The tokens with folded names; literals as they are written.
  fileprivate static func foldedTokens(_ sql: String) -> [String] {
    texts(sql).map { token, text in
      if case .name(let name) = token { folded(name) } else { text }
    }
  }
}

extension SchemaText {
  /// The affinity that a declared type gives a column, in SQLite's words; a STRICT table's ANY has
  /// none, as BLOB.
  package static func affinity(ofType type: String, isStrict: Bool) -> String {
    Affinity(declaredType: type, isStrict: isStrict).rawValue
  }
}
