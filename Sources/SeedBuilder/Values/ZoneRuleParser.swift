/// Reads the parts of a POSIX time zone rule from front to back.
struct ZoneRuleParser {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ character: Unicode.Scalar) -> Bool {
    rest.first == UInt8(ascii: character)
  }

  /// Skips an abbreviation: letters, or anything between angle brackets.
  mutating func skipName() -> Bool {
    if take("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let name = rest.prefix { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
    rest = rest[name.endIndex...]
    return name.count >= 3
  }

  /// `[±]hh[:mm[:ss]]` in seconds.
  mutating func offset() -> Int64? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let hours = number(upTo: 167) else { return nil }
    var seconds = Int64(hours) * 3600
    for unit in [60, 1] as [Int64] {
      guard take(":") else { break }
      guard let value = number(upTo: 59) else { return nil }
      seconds += Int64(value) * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// A comma, a day and perhaps a slash and a time; without one the time is 02:00.
  mutating func change() -> ZoneRule.Change? {
    guard take(","), let day = day() else { return nil }
    guard take("/") else { return ZoneRule.Change(day: day, time: 7200) }
    return offset().map { ZoneRule.Change(day: day, time: $0) }
  }

  private mutating func day() -> ZoneRule.Change.Day? {
    if take("M") {
      guard let month = number(upTo: 12), month >= 1, take("."), let week = number(upTo: 5),
        week >= 1, take("."), let weekday = number(upTo: 6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
    if take("J") { return number(upTo: 365).flatMap { $0 >= 1 ? .julian($0) : nil } }
    return number(upTo: 365).map { .ordinal($0) }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func number(upTo maximum: Int) -> Int? {
    var value: Int?
    while let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      let next = (value ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
      guard next <= maximum else { return nil }
      value = next
      rest.removeFirst()
    }
    return value
  }
}
