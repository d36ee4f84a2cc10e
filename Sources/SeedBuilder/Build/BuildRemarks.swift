internal import SeedModel

/// What a finished build has to say about its input: each of it true, none of it an error.
struct BuildRemarks {
  let plan: LoadPlan
  let facts: DocumentFacts
  let schema: FinalSchema
  let documents: [String]
  let undeclaredPrefixes: [(prefix: String, location: SourceLocation)]

  var all: [Diagnostic] {
    prefixRemarks + emptyRemarks + nameRemarks + mixedRemarks + columnRemarks + commaRemarks
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

  /// The tables that got another name than the one that was asked for, since another input has it.
  private var nameRemarks: [Diagnostic] {
    plan.tables.indices.compactMap { index in
      let wanted = plan.tables[index].name
      guard wanted.isMadeUp, schema.tables[index].name != wanted.local,
        let other = schema.tables.firstIndex(where: { $0.name == wanted.local }),
        let own = input(of: index), let otherInput = input(of: other), own != otherInput
      else { return nil }
      return Diagnostic(
        .warning,
        "the table of its outermost value is called \"\(schema.tables[index].name)\", since the "
          + "records of \"\(otherInput)\" are in \"\(wanted.local)\"",
        at: SourceLocation(file: own),
        hint: "give each source a \"table\" of its own in seed.json")
    }
  }

  /// The input that a table's first records are in.
  private func input(of table: Int) -> String? {
    plan.roles.firstIndex { $0.kind == .record && Int($0.index) == table }.map(document)
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
    let index = facts.input(of: place)
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
