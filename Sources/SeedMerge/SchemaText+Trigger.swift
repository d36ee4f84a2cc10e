extension SchemaText {
  /// What a CREATE TRIGGER says of when it runs.
  package struct TriggerHead: Sendable, Equatable {
    /// `insert`, `update` or `delete`.
    package var event: String
    /// Whether it runs for some of the rows alone: by a WHEN, or an UPDATE OF some columns.
    package var isConditional: Bool
  }

  /// Reads the beginning of a CREATE TRIGGER.
  ///
  /// - Returns: Nil for a statement that is none.
  package static func triggerHead(in sql: String) -> TriggerHead? {
    let words = plainWords(sql)
    guard let start = words.firstIndex(of: "trigger") else { return nil }
    let events: Set = ["insert", "update", "delete"]
    // Behind the name, which can be the word of an event without quotes.
    guard
      let first = words.indices.dropFirst(start + 2).first(where: { index in
        guard let word = words[index], index + 1 < words.count else { return false }
        return events.contains(word) && (words[index + 1] == "on" || words[index + 1] == "of")
      }), let event = words[first],
      let body = words[first...].firstIndex(of: "begin")
    else { return nil }
    let head = words[first..<body]
    return TriggerHead(
      event: event, isConditional: words[first + 1] == "of" || head.contains("when"))
  }

  /// Whether a statement of a trigger's inserts into a table, updates it or deletes from it.
  ///
  /// A column, an alias or a text of that name is no reason to take the table for written.
  package static func writes(to name: String, in sql: String) -> Bool {
    let words = plainWords(sql)
    let tokens = SQLNames.tokens(sql)
    let target = SQLNames.folded(name)
    return tokens.indices.contains { index in
      guard case .name(let other) = tokens[index], SQLNames.folded(other) == target else {
        return false
      }
      var before = index - 1
      // A schema's name in front of the table's.
      if before > 0, tokens[before] == .mark(UInt8(ascii: ".")) { before -= 2 }
      guard before > 0 else { return false }
      switch words[before] {
      case "into", "update": return true
      case "from": return words[before - 1] == "delete"
      // UPDATE OR IGNORE, and the like.
      case "rollback", "abort", "replace", "fail", "ignore":
        return before > 1 && words[before - 1] == "or" && words[before - 2] == "update"
      default: return false
      }
    }
  }

  /// The words without quotes, folded; nil for all other tokens.
  private static func plainWords(_ sql: String) -> [String?] {
    SQLNames.texts(sql).map { token, text in
      guard case .name(let name) = token, name == text else { return nil }
      return SQLNames.folded(name)
    }
  }

  /// The module of a full-text table, folded: `fts5`; nil for other tables.
  package static func fullTextModule(in sql: String) -> String? {
    let words = SQLNames.tokens(sql).map { token in
      if case .name(let name) = token { SQLNames.folded(name) } else { "" }
    }
    let using = words.indices.dropLast().first {
      words[$0] == "using" && words[$0 + 1].hasPrefix("fts")
    }
    return using.map { words[$0 + 1] }
  }
}
