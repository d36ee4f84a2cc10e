internal import SeedModel

/// A text that has the shape of a date or a date-time, and the forms that it can be read in, by the
/// rules of a build.
internal struct DateShape {
  /// How the text names its zone.
  private enum Zone { case none, utc, colon, basic, spacedBasic }

  /// The forms in which the text names a day of the calendar; none when it has no known shape.
  private(set) var forms: Set<DateForm> = []

  private let bytes: [UInt8]
  private var year = 0
  /// Month and day, or the two numbers before a year that comes last.
  private var numbers = (0, 0)
  /// `:mm` and so on are kept as they are written: from the hours up to the zone.
  private var time: Range<Int>?
  private var zone = Zone.none
  private var zoneStart = 0

  /// Reads a text.
  init(_ text: String) {
    bytes = Array(text.utf8)
    guard (8...40).contains(bytes.count) else { return }
    // Three digits at the front can only be those of a year: "16/1/2010 10:05" has two.
    if bytes.count >= 10, digit(1) != nil, digit(2) != nil {
      readYearFirst()
    } else {
      readYearLast()
    }
  }

  /// The date in ISO 8601 when it is read in a form, one of ``forms``.
  func isoText(as form: DateForm) -> String {
    switch form {
    case .isoDate, .isoDateTime, .spacedDateTime: return String(decoding: bytes, as: UTF8.self)
    default: break
    }
    let isMonthFirst = Self.monthFirst.contains(form)
    let isYearFirst = numbersAreMonthAndDay
    let month = isYearFirst || isMonthFirst ? numbers.0 : numbers.1
    let day = isYearFirst || isMonthFirst ? numbers.1 : numbers.0
    var text = Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
    guard let time else { return text }
    text += "T" + String(decoding: bytes[time], as: UTF8.self)
    switch zone {
    case .none: break
    case .utc: text += "Z"
    case .colon, .basic, .spacedBasic:
      text += String(decoding: bytes[zoneStart..<(zoneStart + 3)], as: UTF8.self) + ":"
      text += String(decoding: bytes.suffix(2), as: UTF8.self)
    }
    return text
  }

  /// The forms in which the day stands before the month where the reverse is known too.
  static let dayFirst: Set<DateForm> = [
    .daySlash, .daySlashUnpadded, .dayDash, .daySlashTime, .daySlashUnpaddedTime, .dayDashTime,
  ]

  /// The forms in which the month stands before the day.
  static let monthFirst: Set<DateForm> = [
    .monthSlash, .monthSlashUnpadded, .monthDash, .monthSlashTime, .monthSlashUnpaddedTime,
    .monthDashTime,
  ]

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  // MARK: Reading

  private var numbersAreMonthAndDay: Bool {
    bytes.count >= 10 && digit(1) != nil && digit(2) != nil
  }

  private func digit(_ index: Int) -> Int? {
    guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
    return Int(bytes[index] - 0x30)
  }

  private func byte(_ index: Int) -> Unicode.Scalar? {
    index < bytes.count ? Unicode.Scalar(bytes[index]) : nil
  }

  /// The number of so many digits from an index on.
  private func number(_ index: Int, _ count: Int) -> Int? {
    var value = 0
    for position in index..<(index + count) {
      guard let digit = digit(position) else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// `yyyy-MM-dd` and `yyyy/MM/dd`, with or without a time.
  private mutating func readYearFirst() {
    let separator = byte(4)
    guard separator == "-" || separator == "/", byte(7) == separator, let year = number(0, 4),
      let month = number(5, 2), let day = number(8, 2), Self.isDay(year, month, day)
    else { return }
    self.year = year
    numbers = (month, day)
    let isISO = separator == "-"
    guard bytes.count > 10 else {
      forms = [isISO ? .isoDate : .yearSlash]
      return
    }
    let hasSpace = byte(10) == " "
    guard hasSpace || byte(10) == "T", readTime(from: 11) else { return }
    switch (zone, hasSpace) {
    case _ where !isISO: if hasSpace, zone == .none { forms = [.yearSlashTime] }
    case (.none, false), (.utc, false), (.colon, false): forms = [.isoDateTime]
    case (.none, true), (.utc, true), (.colon, true): forms = [.spacedDateTime]
    case (.basic, false): forms = [.isoDateTimeBasicZone]
    case (.spacedBasic, true): forms = [.spacedDateTimeBasicZone]
    case (.basic, true), (.spacedBasic, false): break
    }
  }

  /// Day, month and year in any order that ends in the year, with or without a time.
  private mutating func readYearLast() {
    let firstCount = digit(1) != nil ? 2 : 1
    let secondStart = firstCount + 1
    let secondCount = digit(secondStart + 1) != nil ? 2 : 1
    let yearStart = secondStart + secondCount + 1
    guard let first = number(0, firstCount), let second = number(secondStart, secondCount),
      first > 0, second > 0, let separator = byte(firstCount), byte(yearStart - 1) == separator,
      let year = number(yearStart, 4)
    else { return }
    self.year = year
    numbers = (first, second)
    if bytes.count > yearStart + 4 {
      guard byte(yearStart + 4) == " ", readTime(from: yearStart + 5), zone == .none else { return }
    }
    let isPadded = firstCount == 2 && secondCount == 2
    let isUnpadded = byte(0) != "0" && byte(secondStart) != "0"
    var found: [DateForm] = []
    let dayFirst = Self.isDay(year, second, first)
    let monthFirst = Self.isDay(year, first, second)
    switch separator {
    case ".":
      if dayFirst, isPadded { found.append(.dayDot) }
      if dayFirst, isUnpadded { found.append(.dayDotUnpadded) }
    case "/":
      if dayFirst, isPadded { found.append(.daySlash) }
      if dayFirst, isUnpadded { found.append(.daySlashUnpadded) }
      if monthFirst, isPadded { found.append(.monthSlash) }
      if monthFirst, isUnpadded { found.append(.monthSlashUnpadded) }
    case "-":
      if dayFirst, isPadded { found.append(.dayDash) }
      if monthFirst, isPadded { found.append(.monthDash) }
    default: return
    }
    let distance = time == nil ? 0 : DateForm.timeDistance
    forms = Set(found.compactMap { DateForm(rawValue: $0.rawValue + distance) })
  }

  /// `HH:mm[:ss[.fraction]]` and a zone up to the end.
  ///
  /// No leap second and no 24:00: SQLite's functions read neither as the instant meant.
  private mutating func readTime(from start: Int) -> Bool {
    guard let hour = number(start, 2), byte(start + 2) == ":", let minute = number(start + 3, 2),
      hour <= 23, minute <= 59
    else { return false }
    var index = start + 5
    if bytes.count - index >= 3, byte(index) == ":" {
      guard let second = number(index + 1, 2), second <= 59 else { return false }
      index += 3
      if byte(index) == "." {
        let fraction = bytes[(index + 1)...].prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(fraction.count) else { return false }
        index = fraction.endIndex
      }
    }
    time = start..<index
    return index == bytes.count || readZone(from: index)
  }

  /// `Z`, `±hh:mm`, `±hhmm`, or a blank and `±hhmm`, up to the end.
  private mutating func readZone(from start: Int) -> Bool {
    let isSpaced = byte(start) == " "
    zoneStart = isSpaced ? start + 1 : start
    switch bytes.count - zoneStart {
    case 1:
      zone = .utc
      return !isSpaced && byte(zoneStart) == "Z"
    case 5: zone = isSpaced ? .spacedBasic : .basic
    case 6:
      guard !isSpaced, byte(zoneStart + 3) == ":" else { return false }
      zone = .colon
    default: return false
    }
    guard byte(zoneStart) == "+" || byte(zoneStart) == "-",
      let hours = number(zoneStart + 1, 2), let minutes = number(bytes.count - 2, 2)
    else { return false }
    // SQLite's functions know zones up to 14:59 from UTC.
    return hours <= 14 && minutes <= 59
  }

  private static func isDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    guard year >= 1, (1...12).contains(month), day >= 1 else { return false }
    if month == 2 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      return day <= (isLeap ? 29 : 28)
    }
    return day <= ([4, 6, 9, 11].contains(month) ? 30 : 31)
  }
}
