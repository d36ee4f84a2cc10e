/// One way to write a date or a date-time that is recognised without being told.
///
/// The raw value is a bit position in the sets that inference keeps, so that a column's possible
/// forms are one mask. A form with padded and one with unpadded numbers are two forms: a column
/// is converted only when one form writes every value back exactly as it was.
package enum DateForm: UInt8, Sendable, Hashable, CaseIterable {
  /// The form that the user declared with a pattern; it takes precedence over all others.
  case declared = 0

  case isoDate
  /// ISO 8601 with `T`; seconds, fraction and zone (`Z`, `±hh:mm`) may each be absent.
  case isoDateTime
  /// ISO 8601 with `T` and a zone without a colon, as many Java programs write it.
  case isoDateTimeBasicZone
  /// The form of SQLite's own functions: like ``isoDateTime``, with a space for the `T`.
  case spacedDateTime
  /// A space before the time and another before a zone without a colon, as Apple Health exports.
  case spacedDateTimeBasicZone

  case yearSlash, dayDot, dayDotUnpadded
  case daySlash, daySlashUnpadded, monthSlash, monthSlashUnpadded
  case dayDash, monthDash

  case yearSlashTime, dayDotTime, dayDotUnpaddedTime
  case daySlashTime, daySlashUnpaddedTime, monthSlashTime, monthSlashUnpaddedTime
  case dayDashTime, monthDashTime
}

extension DateForm {
  /// The distance from a date form's raw value to that of the same form with a time.
  package static let timeDistance = DateForm.yearSlashTime.rawValue - DateForm.yearSlash.rawValue

  /// The form in the letters of Unicode date patterns, for messages and for `--date-format`.
  ///
  /// Optional parts stand in brackets. ``declared`` has no pattern of its own.
  package var pattern: String {
    switch self {
    case .declared: "the declared date format"
    case .isoDate: "yyyy-MM-dd"
    case .isoDateTime: "yyyy-MM-dd'T'HH:mm[:ss[.SSS]][XXX]"
    case .isoDateTimeBasicZone: "yyyy-MM-dd'T'HH:mm[:ss[.SSS]]Z"
    case .spacedDateTime: "yyyy-MM-dd HH:mm[:ss[.SSS]][XXX]"
    case .spacedDateTimeBasicZone: "yyyy-MM-dd HH:mm[:ss[.SSS]] Z"
    case .yearSlash: "yyyy/MM/dd"
    case .dayDot: "dd.MM.yyyy"
    case .dayDotUnpadded: "d.M.yyyy"
    case .daySlash: "dd/MM/yyyy"
    case .daySlashUnpadded: "d/M/yyyy"
    case .monthSlash: "MM/dd/yyyy"
    case .monthSlashUnpadded: "M/d/yyyy"
    case .dayDash: "dd-MM-yyyy"
    case .monthDash: "MM-dd-yyyy"
    case .yearSlashTime, .dayDotTime, .dayDotUnpaddedTime, .daySlashTime, .daySlashUnpaddedTime,
      .monthSlashTime, .monthSlashUnpaddedTime, .dayDashTime, .monthDashTime:
      (dateOnly?.pattern ?? "") + " HH:mm[:ss[.SSS]]"
    }
  }

  /// The same form without its time, or nil when this form is not one of a date before a time.
  package var dateOnly: DateForm? {
    guard rawValue >= DateForm.yearSlashTime.rawValue else { return nil }
    return DateForm(rawValue: rawValue - DateForm.timeDistance)
  }

  /// Whether values of the form name a time of day; unknown to ``declared``, which says false.
  package var hasTime: Bool {
    switch self {
    case .isoDateTime, .isoDateTimeBasicZone, .spacedDateTime, .spacedDateTimeBasicZone: true
    default: dateOnly != nil
    }
  }
}
