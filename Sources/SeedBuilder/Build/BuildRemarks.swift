internal import SeedModel

/// What a finished build has to say about its input: each of it true, none of it an error.
struct BuildRemarks {
  let plan: LoadPlan
  let facts: DocumentFacts
  let schema: FinalSchema
  let documents: [String]
  let undeclaredPrefixes: [(prefix: String, location: SourceLocation)]

  var all: [Diagnostic] {
    prefixRemarks + emptyRemarks + mixedRemarks + columnRemarks + commaRemarks
  }

  private var commaRemarks: [Diagnostic] {
    zip(plan.tables, schema.tables).flatMap { table, named in
      zip(table.columns, named.columns).compactMap { column, definition in
        guard let field = column.fields.first, let values = facts.statistics(of: column) else {
          return nil
        }
        return CommaRemark.remark(
          on: values, column: definition.name, table: named.name,
          in: document(of: facts.fields[field].place))
      }
    }
  }

  private var prefixRemarks: [Diagnostic] {
    undeclaredPrefixes.map {
      Diagnostic(
        .warning, "the namespace prefix \"\($0.prefix)\" is not declared", at: $0.location)
    }
  }

  private var emptyRemarks: [Diagnostic] {
    // Without a document all tables come from elsewhere.
    guard schema.tables.isEmpty, let document = documents.first else { return [] }
    return [
      Diagnostic(
        .warning, "the input has no records, so the database has no tables",
        at: SourceLocation(file: document))
    ]
  }

  private var mixedRemarks: [Diagnostic] {
    var seen: Set<QualifiedName> = []
    return facts.places.indices.compactMap { index in
      let place = facts.places[index]
      guard let line = place.mixedLine, seen.insert(place.name).inserted else { return nil }
      return Diagnostic(
        .warning,
        "the element \"\(place.name.local)\" mixes text and elements: the text is kept in column "
          + "\"text\", its order against the elements is not",
        at: SourceLocation(file: document(of: index), line: line))
    }
  }

  /// The name of the document that a place is in.
  private func document(of place: Int) -> String {
    let index = facts.roots.lastIndex { $0 <= place } ?? 0
    return index < documents.count ? documents[index] : ""
  }

  private var columnRemarks: [Diagnostic] {
    zip(plan.tables, schema.tables).flatMap { table, named in
      zip(table.columns, named.columns).compactMap { column, definition in
        guard let field = column.fields.first, let values = facts.statistics(of: column) else {
          return nil
        }
        return ColumnRemark(column: definition.name, table: named.name, rules: facts.rules)
          .remark(on: values, in: document(of: facts.fields[field].place))
      }
    }
  }
}
