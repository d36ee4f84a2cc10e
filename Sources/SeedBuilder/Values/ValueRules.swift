/// What the user said about the values of a build: a date pattern and a time zone.
///
/// A class of constants, so that the statistics of a thousand columns share one pointer.
package final class ValueRules: Sendable {
  /// The pattern of `--date-format`, one more form that takes precedence over the known ones.
  package let datePattern: DatePattern?
  /// The zone of `--time-zone`, in which date-times without a zone are read; they become UTC.
  ///
  /// Without it they stay as they are, and SQLite's functions read them as UTC.
  package let timeZone: TimeZoneRule?

  package init(datePattern: DatePattern? = nil, timeZone: TimeZoneRule? = nil) {
    self.datePattern = datePattern
    self.timeZone = timeZone
  }

  /// The rules of a build that was told nothing.
  package static let standard = ValueRules()
}
