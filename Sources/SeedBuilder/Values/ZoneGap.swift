/// A local time between two others that a zone's clocks never showed, as when summer time begins.
package enum ZoneGap {
  /// What is wrong with such a time, to follow it in a message.
  package static let message = "is a time that its zone skipped"
  /// What to do about it.
  package static let hint =
    "correct it, or give it with its zone (2024-03-31T02:30:00+01:00); without --time-zone it is UTC"
}
