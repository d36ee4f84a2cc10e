/// Dates in headers, in the three forms that RFC 9110, section 5.6.7, has readers accept.
internal enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Seconds since 1970; nil if the text is no date.
  internal static func seconds(_ text: String) -> Int64? {
    let parts = text.split { " ,-:".contains($0) }.map { $0.lowercased() }
    // `Sun Nov  6 08:49:37 1994` has the month before the day and the year at the end.
    if parts.count == 7, months.contains(parts[1]) {
      return seconds(parts[2], parts[1], parts[6], parts[3...5])
    }
    // `Sun, 06 Nov 1994 08:49:37 GMT` and `Sunday, 06-Nov-94 08:49:37 GMT`.
    guard parts.count == 8, parts[7] == "gmt" else { return nil }
    return seconds(parts[1], parts[2], parts[3], parts[4...6])
  }

  private static func seconds(
    _ day: String, _ month: String, _ year: String, _ time: ArraySlice<String>
  ) -> Int64? {
    let clock = time.compactMap { HTTPText.number($0) }
    guard let day = HTTPText.number(day), (1...31).contains(day),
      let month = months.firstIndex(of: month), var year = HTTPText.number(year), year < 10000,
      clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] < 61
    else { return nil }
    // Two digits are a year of the form that nobody should write any more; the century is ours.
    if year < 100 { year += year < 70 ? 2000 : 1900 }
    return days(year: year, month: Int64(month) + 1, day: day) * 86400
      + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }

  /// Days since 1970 in the Gregorian calendar, with years counted from March.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
