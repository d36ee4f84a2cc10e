/// The parts of a date or a date-time, some as numbers and some as places in the text read.
struct DateTimeFields {
  /// How a text names its zone.
  enum Zone: UInt8 {
    case none
    /// `Z`.
    case utc
    /// `±hh:mm` right after the time.
    case colon
    /// `±hhmm` right after the time.
    case basic
    /// `±hhmm` after a space.
    case spacedBasic
  }

  var year = 0
  var month = 0
  var day = 0
  var hasTime = false
  var hasSeconds = false
  var zone = Zone.none
  var hour = 0
  var minute = 0
  var second = 0
  /// Where the digits of the fraction of a second begin.
  var fractionStart = 0
  /// How many digits the fraction has; 0 without one.
  var fractionCount = 0
  /// Where the zone's sign stands.
  var zoneStart = 0
}
