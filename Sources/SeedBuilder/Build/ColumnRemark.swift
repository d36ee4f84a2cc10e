internal import SeedModel

/// What the values of an inferred column have to say about its type: dates that are none.
struct ColumnRemark {
  let column: String
  let table: String
  let rules: ValueRules

  /// Dates that stop being dates after fewer values than this were hardly dates.
  private static let fewestDates = 3

  /// The pattern to declare; that of a date settles date-times of the same form too.
  private func datePattern(of form: DateForm) -> String {
    (form.dateOnly ?? form).pattern
  }

  /// What to say of a column of which all values are known, with the name of the first document that
  /// has some; nil when nothing is noteworthy.
  func remark(on values: ValueStatistics, in document: String) -> Diagnostic? {
    let location = SourceLocation(file: document)
    if let ambiguity = values.ambiguity {
      return Diagnostic(
        .warning,
        "the dates in column \"\(column)\" of \"\(table)\" can be read in two ways and stay text",
        at: location,
        hint: "say which with --date-format \(datePattern(of: ambiguity.dayFirst))"
          + " or --date-format \(datePattern(of: ambiguity.monthFirst))")
    }
    if values.columnType == .text, let time = values.skippedTime {
      return Diagnostic(
        .warning, "column \"\(column)\" of \"\(table)\" stays text: \"\(time)\" \(ZoneGap.message)",
        at: location, hint: ZoneGap.hint)
    }
    // Who says how dates or times are to be read wants to hear of each column that defies it.
    let isTold = rules.datePattern != nil || rules.timeZone != nil
    guard values.columnType == .text, let miss = values.nearMiss,
      miss.precedingCount >= (isTold ? 1 : ColumnRemark.fewestDates)
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
