internal import SeedModel

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

  /// The form of the date pattern: a known one, which is converted faster, if they are the same.
  let preferredForms: ValueForms
  /// The forms of a column of which nothing is known.
  let initialForms: ValueForms

  package init(datePattern: DatePattern? = nil, timeZone: TimeZoneRule? = nil) {
    self.datePattern = datePattern
    self.timeZone = timeZone
    let preferred = datePattern.map { ValueForms($0.knownForm ?? .declared) } ?? []
    preferredForms = preferred
    initialForms =
      datePattern.map { ValueForms.undeclared(beside: $0) }?.union(preferred) ?? .undeclared
  }

  /// No form at all: every column is TEXT.
  private init(withoutForms: Void) {
    datePattern = nil
    timeZone = nil
    preferredForms = []
    initialForms = []
  }

  /// The rules of a build that was told nothing.
  package static let standard = ValueRules()

  /// Rules by which every value stays as it stands.
  static let raw = ValueRules(withoutForms: ())
}

extension ValueRules {
  /// What the options of a build say.
  ///
  /// - Throws: ``ValueRulesError``.
  package convenience init(_ options: BuildOptions) throws {
    self.init(
      datePattern: try options.dateFormat.map { try DatePattern($0) },
      timeZone: try options.timeZone.map { try TimeZoneRule(named: $0) })
  }
}
