/// A date pattern or a time zone that cannot be used.
package struct ValueRulesError: Error, Hashable {
  /// What is wrong.
  package enum Reason: Sendable, Hashable {
    /// A letter, or a run of one letter, that patterns here do not know.
    case unknownPatternField(String)
    /// The same part of a date twice.
    case repeatedPatternField(String)
    /// A part without which the pattern names no date, or no time.
    case missingPatternField(String)
    /// A number of one or two digits right before another number.
    case unboundedPatternField(String)
    /// A quote that is not closed.
    case unclosedPatternQuote
    /// A name that is no zone: `UTC`, `±hh:mm` or a name of the IANA database.
    case unknownTimeZone
    /// A zone's file that is not in the format of RFC 8536.
    case unreadableTimeZone
  }

  package var reason: Reason
  /// The pattern or the zone as it was given.
  package var text: String

  package init(_ reason: Reason, in text: String) {
    self.reason = reason
    self.text = text
  }
}
