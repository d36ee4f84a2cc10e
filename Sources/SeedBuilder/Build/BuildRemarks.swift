internal import SeedModel

/// What a finished build has to say about its input: each of it true, none of it an error.
struct BuildRemarks {
  let plan: LoadPlan
  let facts: DocumentFacts
  let schema: FinalSchema
  let documents: [String]
  let undeclaredPrefixes: [(prefix: String, location: SourceLocation)]

  /// Dates that stop being dates after fewer values than this were hardly dates.
  private static let fewestDates = 3

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
        return remark(
          on: values, column: definition.name, table: named.name,
          document: document(of: facts.fields[field].place))
      }
    }
  }

  /// The pattern to declare; that of a date settles date-times of the same form too.
  private func datePattern(of form: DateForm) -> String {
    (form.dateOnly ?? form).pattern
  }

  private func remark(
    on values: ValueStatistics, column: String, table: String, document: String
  ) -> Diagnostic? {
    let location = SourceLocation(file: document)
    if let ambiguity = values.ambiguity {
      return Diagnostic(
        .warning,
        "the dates in column \"\(column)\" of \"\(table)\" can be read in two ways and stay text",
        at: location,
        hint: "say which with --date-format \(datePattern(of: ambiguity.dayFirst))"
          + " or --date-format \(datePattern(of: ambiguity.monthFirst))")
    }
    // Who says how dates or times are to be read wants to hear of each column that defies it.
    let isTold = facts.rules.datePattern != nil || facts.rules.timeZone != nil
    guard values.columnType == .text, let miss = values.nearMiss,
      miss.precedingCount >= (isTold ? 1 : BuildRemarks.fewestDates)
    else { return nil }
    switch miss.type {
    case .date, .dateTime:
      return Diagnostic(
        isTold ? .warning : .note,
        "column \"\(column)\" of \"\(table)\" stays text: \"\(miss.value)\" is no date like the "
          + "values before it", at: location)
    default: return nil
    }
  }
}
