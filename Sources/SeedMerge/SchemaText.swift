/// What can be told from the SQL that made a table or an index.
package enum SchemaText {
  /// A column's definition in a CREATE TABLE, word for word, as ALTER TABLE ADD COLUMN takes it.
  ///
  /// - Returns: Nil if the table is made without such a column, or in a form other than a list.
  package static func columnDefinition(of column: String, in sql: String) -> String? {
    SQLNames.definition(of: column, in: sql)
  }

  /// The kinds of object whose statements a database is asked for.
  package enum Kind: String, Sendable {
    case table = "create table"
    case virtualTable = "create virtual table"
    case index = "create index"
    case uniqueIndex = "create unique index"
  }

  /// Whether a statement makes an object of a kind and a name, as far as its beginning tells.
  ///
  /// A database can be written by hand so that another statement stands where that of a table is
  /// looked for.
  package static func makes(_ kinds: Kind..., named name: String, in sql: String) -> Bool {
    let tokens = SQLNames.texts(sql)
    func word(_ index: Int) -> String? {
      guard tokens.indices.contains(index) else { return nil }
      switch tokens[index].token {
      case .name(let name): return SQLNames.folded(name)
      // SQLite takes a text for a name, too.
      case .literal: return SQLNames.folded(unquoted(tokens[index].text))
      case .mark: return nil
      }
    }
    return kinds.contains { kind in
      let words = kind.rawValue.split(separator: " ").map(String.init)
      return words.indices.allSatisfy { word($0) == words[$0] }
        && word(words.count) == SQLNames.folded(name)
    }
  }

  private static func unquoted(_ literal: String) -> String {
    literal.dropFirst().dropLast().split(separator: "''", omittingEmptySubsequences: false)
      .joined(separator: "'")
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

extension SchemaText {
  /// The table or view whose rows a full-text table indexes, by its option `content`.
  ///
  /// - Returns: Nil for other virtual tables, and for a full-text table that has its own rows or
  ///   none.
  package static func fullTextContent(in sql: String) -> String? {
    let tokens = SQLNames.texts(sql)
    func word(_ index: Int) -> String? {
      if case .name(let name) = tokens[index].token { SQLNames.folded(name) } else { nil }
    }
    guard let using = tokens.indices.dropLast().first(where: { word($0) == "using" }),
      word(using + 1)?.hasPrefix("fts") == true
    else { return nil }
    for index in tokens.indices.dropLast(2)
    where index > using && word(index) == "content"
      && tokens[index + 1].token == .mark(UInt8(ascii: "="))
    {
      switch tokens[index + 2].token {
      case .name(let name): return name.isEmpty ? nil : name
      case .literal:
        let text = tokens[index + 2].text.dropFirst().dropLast()
        let parts = text.split(separator: "''", omittingEmptySubsequences: false)
        return text.isEmpty ? nil : parts.joined(separator: "'")
      case .mark: return nil
      }
    }
    return nil
  }

  /// Whether a statement makes a full-text table that has neither rows of its own nor another
  /// table's, by `content=''`.
  package static func isContentless(_ sql: String) -> Bool {
    let tokens = SQLNames.texts(sql)
    return fullTextContent(in: sql) == nil
      && tokens.indices.dropLast(2).contains { index in
        guard case .name(let name) = tokens[index].token, SQLNames.folded(name) == "content",
          tokens[index + 1].token == .mark(UInt8(ascii: "="))
        else { return false }
        switch tokens[index + 2].token {
        case .name(let name): return name.isEmpty
        case .literal: return unquoted(tokens[index + 2].text).isEmpty
        case .mark: return true
        }
      }
  }

  /// Whether a statement makes a full-text table.
  package static func isFullText(_ sql: String) -> Bool { fullTextModule(in: sql) != nil }
}
