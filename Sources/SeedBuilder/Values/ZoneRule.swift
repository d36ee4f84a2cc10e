/// The yearly rule that ends a time zone file, in the form of POSIX's TZ variable.
///
/// For example `CET-1CEST,M3.5.0,M10.5.0/3`: one hour east, two from the last Sunday of March
/// to the last Sunday of October, 03:00.
struct ZoneRule: Sendable, Hashable {
  /// A day of every year and a time on it.
  struct Change: Sendable, Hashable {
    enum Day: Sendable, Hashable {
      /// The day of the year from 1, without counting 29 February.
      case julian(Int)
      /// The day of the year from 0.
      case ordinal(Int)
      /// The nth weekday of a month; 5 is the last, weekday 0 is Sunday.
      case weekday(month: Int, week: Int, weekday: Int)
    }

    var day: Day
    /// Seconds from local midnight; may lie outside of the day.
    var time: Int64

    /// The local time of the change in one year, in seconds since 1970.
    func localSeconds(year: Int) -> Int64 {
      let days: Int64
      switch day {
      case .julian(let number):
        let isAfterLeapDay = number >= 60 && CalendarDate.isLeap(year)
        days =
          CalendarDate.days(year: year, month: 1, day: 1) + Int64(number)
          - (isAfterLeapDay ? 0 : 1)
      case .ordinal(let number):
        days = CalendarDate.days(year: year, month: 1, day: 1) + Int64(number)
      case .weekday(let month, let week, let weekday):
        let first = CalendarDate.days(year: year, month: month, day: 1)
        // 1970-01-01 was a Thursday.
        let firstWeekday = Int(((first + 4) % 7 + 7) % 7)
        var dayOfMonth = 1 + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
        while dayOfMonth > CalendarDate.dayCount(year: year, month: month) { dayOfMonth -= 7 }
        days = first + Int64(dayOfMonth - 1)
      }
      return days * CalendarDate.secondsPerDay + time
    }
  }

  /// The other half of the year's offset, and when it begins and ends.
  struct Summer: Sendable, Hashable {
    var offset: Int64
    var start: Change
    var end: Change
  }

  let standardOffset: Int64
  let summer: Summer?

  /// Reads the rule, or says nil when it is malformed.
  init?(_ text: String) {
    var parser = ZoneRuleParser(text)
    guard parser.skipName(), let standard = parser.offset() else { return nil }
    // POSIX counts hours west of Greenwich.
    standardOffset = -standard
    guard !parser.isAtEnd else {
      summer = nil
      return
    }
    guard parser.skipName() else { return nil }
    var offset = -standard + 3600
    if !parser.isAt(",") {
      guard let given = parser.offset() else { return nil }
      offset = -given
    }
    guard let start = parser.change(), let end = parser.change(), parser.isAtEnd else {
      return nil
    }
    summer = Summer(offset: offset, start: start, end: end)
  }

  /// The offset that holds at an instant, in seconds east of Greenwich.
  func offset(at instant: Int64) -> Int64 {
    guard let summer else { return standardOffset }
    let local = instant + standardOffset
    let day = local / CalendarDate.secondsPerDay - (local % CalendarDate.secondsPerDay < 0 ? 1 : 0)
    let year = CalendarDate.date(days: day).year
    let start = summer.start.localSeconds(year: year) - standardOffset
    let end = summer.end.localSeconds(year: year) - summer.offset
    // South of the equator, summer spans the turn of the year.
    let isSummer =
      start < end ? start <= instant && instant < end : !(end <= instant && instant < start)
    return isSummer ? summer.offset : standardOffset
  }
}
