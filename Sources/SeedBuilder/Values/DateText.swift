internal import SeedModel

/// A text that has the shape of a date or a date-time, and the forms it can be read in.
struct DateText {
  /// The forms in which the text names a day of the calendar; empty when it has no known shape.
  private(set) var forms: ValueForms = []
  /// The year and the time; month and day too when the year comes first.
  private var parts = DateTimeFields()
  /// The two numbers before the year, when the year comes last.
  private var first = 0
  private var second = 0

  /// The longest known text: a date, a time with nine digits of fraction, a space and a zone.
  private static let maximumCount = 40

  @inline(__always)
  init(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard count >= 8, count <= DateText.maximumCount else { return }
    if count >= 10, bytes[4] == UInt8(ascii: "-") || bytes[4] == UInt8(ascii: "/") {
      readYearFirst(bytes, count)
    } else {
      readYearLast(bytes, count)
    }
  }

  /// The fields of the text when it is read in the given form, one of ``forms``.
  @inline(__always)
  func fields(as form: DateForm) -> DateTimeFields {
    guard first != 0 else { return parts }
    var fields = parts
    if ValueForms.monthFirst.contains(ValueForms(form)) {
      fields.month = first
      fields.day = second
    } else {
      fields.day = first
      fields.month = second
    }
    return fields
  }

  @inline(__always)
  private static func year(_ bytes: UnsafePointer<UInt8>) -> Int {
    let century = TimeText.twoDigits(bytes)
    let rest = TimeText.twoDigits(bytes + 2)
    return century > 99 || rest > 99 ? 0 : century &* 100 &+ rest
  }

  /// `yyyy-MM-dd` and `yyyy/MM/dd`, with or without a time.
  @inline(__always)
  private mutating func readYearFirst(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let separator = bytes[4]
    guard bytes[7] == separator else { return }
    parts.year = DateText.year(bytes)
    parts.month = TimeText.twoDigits(bytes + 5)
    parts.day = TimeText.twoDigits(bytes + 8)
    guard CalendarDate.isValid(year: parts.year, month: parts.month, day: parts.day) else {
      return
    }
    let isISO = separator == UInt8(ascii: "-")
    guard count > 10 else {
      forms = isISO ? ValueForms(.isoDate) : ValueForms(.yearSlash)
      return
    }
    let hasSpace = bytes[10] == UInt8(ascii: " ")
    guard hasSpace || bytes[10] == UInt8(ascii: "T"),
      TimeText.read(bytes, from: 11, count, into: &parts)
    else { return }
    switch (parts.zone, hasSpace) {
    case _ where !isISO:
      forms = hasSpace && parts.zone == .none ? ValueForms(.yearSlashTime) : []
    case (.none, false), (.utc, false), (.colon, false): forms = ValueForms(.isoDateTime)
    case (.none, true), (.utc, true), (.colon, true): forms = ValueForms(.spacedDateTime)
    case (.basic, false): forms = ValueForms(.isoDateTimeBasicZone)
    case (.spacedBasic, true): forms = ValueForms(.spacedDateTimeBasicZone)
    case (.basic, true), (.spacedBasic, false): forms = []
    }
  }

  /// One or two digits from `index` on, up to the separator; 0 when there is no such number.
  @inline(__always)
  private static func shortNumber(_ bytes: UnsafePointer<UInt8>, at index: Int) -> (Int, Int) {
    let lead = bytes[index] &- UInt8(ascii: "0")
    guard lead <= 9 else { return (0, 0) }
    let next = bytes[index &+ 1] &- UInt8(ascii: "0")
    return next <= 9 ? (Int(lead) &* 10 &+ Int(next), 2) : (Int(lead), 1)
  }

  /// `dd.MM.yyyy` and its kin, with or without a time. The text has at least eight bytes.
  @inline(__always)
  private mutating func readYearLast(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let (firstNumber, firstCount) = DateText.shortNumber(bytes, at: 0)
    let separator = bytes[firstCount]
    let secondStart = firstCount &+ 1
    let (secondNumber, secondCount) = DateText.shortNumber(bytes, at: secondStart)
    let yearStart = secondStart &+ secondCount &+ 1
    guard firstNumber != 0, secondNumber != 0, count >= yearStart &+ 4,
      bytes[yearStart &- 1] == separator
    else { return }
    parts.year = DateText.year(bytes + yearStart)
    var isTimed = false
    if count > yearStart &+ 4 {
      guard bytes[yearStart &+ 4] == UInt8(ascii: " "),
        TimeText.read(bytes, from: yearStart &+ 5, count, into: &parts), parts.zone == .none
      else { return }
      isTimed = true
    }
    let isPadded = firstCount == 2 && secondCount == 2
    let isUnpadded = bytes[0] != UInt8(ascii: "0") && bytes[secondStart] != UInt8(ascii: "0")
    var found: ValueForms = []
    let isDayFirst = CalendarDate.isValid(year: parts.year, month: secondNumber, day: firstNumber)
    let isMonthFirst = CalendarDate.isValid(year: parts.year, month: firstNumber, day: secondNumber)
    switch separator {
    case UInt8(ascii: "."):
      if isDayFirst, isPadded { found.formUnion(ValueForms(.dayDot)) }
      if isDayFirst, isUnpadded { found.formUnion(ValueForms(.dayDotUnpadded)) }
    case UInt8(ascii: "/"):
      if isDayFirst, isPadded { found.formUnion(ValueForms(.daySlash)) }
      if isDayFirst, isUnpadded { found.formUnion(ValueForms(.daySlashUnpadded)) }
      if isMonthFirst, isPadded { found.formUnion(ValueForms(.monthSlash)) }
      if isMonthFirst, isUnpadded { found.formUnion(ValueForms(.monthSlashUnpadded)) }
    case UInt8(ascii: "-"):
      if isDayFirst, isPadded { found.formUnion(ValueForms(.dayDash)) }
      if isMonthFirst, isPadded { found.formUnion(ValueForms(.monthDash)) }
    default: return
    }
    first = firstNumber
    second = secondNumber
    forms = isTimed ? ValueForms(rawValue: found.rawValue << timeShift) : found
  }
}

/// From the bit of a date form to that of the same form with a time.
private var timeShift: UInt64 {
  UInt64(DateForm.yearSlashTime.rawValue - DateForm.yearSlash.rawValue)
}
