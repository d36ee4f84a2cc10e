internal import SeedModel

/// How the dates of one column are read.
package struct DateReading: Sendable {
  /// The pattern that was declared.
  package private(set) var pattern: DatePattern?
  /// Without one: the forms without a time, besides ISO 8601, that all values seen so far have.
  package private(set) var forms: ValueForms = .notISODates
  package private(set) var hasForeignForm = false
  /// Whether ISO 8601 is read beside the pattern.
  package var allowsISO = false
  /// The zone of times that name none.
  var timeZone: TimeZoneRule?

  package init(pattern: DatePattern? = nil, timeZone: TimeZoneRule? = nil) {
    self.pattern = pattern
    self.timeZone = timeZone
  }

  /// Takes a value into account that the column will get.
  ///
  /// One that agrees with none of the others changes nothing: it will not be converted.
  package mutating func observe(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let found = DateText(bytes, count).forms.withoutTime.intersection(forms)
    guard !found.isEmpty else { return }
    hasForeignForm = true
    forms = found
  }

  /// The two readings of the column's dates, when nothing says which number is the day.
  package var ambiguity: DateAmbiguity? {
    guard pattern == nil, hasForeignForm,
      let dayFirst = forms.intersection(.dayFirst).firstDateForm,
      let monthFirst = forms.intersection(.monthFirst).firstDateForm
    else { return nil }
    return DateAmbiguity(dayFirst: dayFirst, monthFirst: monthFirst)
  }

  /// What errors call the form, in parentheses behind the word "date".
  package var formText: String {
    if let pattern { return " (\(pattern.text))" }
    guard hasForeignForm, let form = forms.firstDateForm else { return "" }
    return " (\(form.pattern))"
  }

  func convert(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, allowsTime: Bool,
    into scratch: UnsafeMutablePointer<UInt8>
  ) -> ValueConversion.Outcome {
    guard let fields = fields(bytes, count) else {
      let what = allowsTime ? "date or time" : "date"
      return .misfit(
        "is not a \(what)\(formText)",
        hint: pattern == nil
          ? "say how dates are written with --date-format, or \"format\" in seed.json" : nil)
    }
    if fields.hasTime, !allowsTime {
      return .misfit(
        "has a time, and the column is DATE", hint: "declare the column as DATETIME")
    }
    // What is ISO 8601 already stays byte for byte.
    if pattern == nil || allowsISO, !DateText(bytes, count).forms.isDisjoint(with: .keptAsWritten),
      !fields.hasTime || fields.zone != .none || timeZone == nil
    {
      return .sameText
    }
    guard let count = DateTimeWriter.write(fields, of: bytes, timeZone: timeZone, into: scratch)
    else { return .misfit(ZoneGap.message, hint: ZoneGap.hint) }
    return .scratchText(count: count)
  }

  /// Begins with the forms that all values had in an earlier reading.
  package init(knowing forms: ValueForms, timeZone: TimeZoneRule?) {
    self.init(timeZone: timeZone)
    self.forms = forms
    hasForeignForm = true
  }

  /// What became of a date.
  package enum Instant: Equatable {
    /// Seconds since 2001-01-01 00:00 UTC.
    case seconds(Double)
    /// The text is no date in this form.
    case notADate
    /// The zone's clocks skipped the time.
    case skipped
  }

  /// The point in time that a text names: midnight, if it names a day.
  package func instant(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Instant {
    guard let fields = fields(bytes, count) else { return .notADate }
    guard let seconds = fields.secondsSince2001(of: bytes, timeZone: timeZone) else {
      return .skipped
    }
    return .seconds(seconds)
  }

  private func fields(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> DateTimeFields? {
    let text = DateText(bytes, count)
    var rest = text.forms
    if let pattern {
      if let fields = pattern.fields(bytes, count) { return fields }
      // A pattern without a time says which number is the day, also where a time stands behind it.
      while let form = rest.firstDateForm {
        rest.remove(ValueForms(form))
        if form.dateOnly?.pattern == pattern.text { return text.fields(as: form) }
      }
      guard allowsISO else { return nil }
      rest = text.forms
    }
    while let form = rest.firstDateForm {
      rest.remove(ValueForms(form))
      let dateOnly = ValueForms(form).withoutTime
      let isISO = dateOnly.isDisjoint(with: .notISODates)
      if isISO || pattern == nil && !dateOnly.isDisjoint(with: forms) {
        return text.fields(as: form)
      }
    }
    return nil
  }
}

extension ValueForms {
  /// The forms that the inference keeps as they are.
  static var keptAsWritten: ValueForms {
    [ValueForms(.isoDate), ValueForms(.isoDateTime), ValueForms(.spacedDateTime)]
  }

  /// Every known form of a date without a time, but those of ISO 8601.
  static let notISODates: ValueForms =
    DateForm.allCases.filter { $0.rawValue >= DateForm.yearSlash.rawValue && $0.dateOnly == nil }
    .reduce(into: []) { $0.insert(ValueForms($1)) }

  /// The same dates without their times; ISO forms stay.
  var withoutTime: ValueForms {
    var result: ValueForms = []
    var rest = self
    while let form = rest.firstDateForm {
      rest.remove(ValueForms(form))
      result.insert(ValueForms(form.dateOnly ?? form))
    }
    return result
  }
}
