/// Numbers as people read them: the same in every locale.
enum Readable {
  /// A size with a unit of 1024: `512 B`, `4.5 KB`, `12 KB`, `1.2 GB`.
  static func bytes(_ count: Int64) -> String {
    guard count >= 1024 else { return "\(count) B" }
    let units = ["KB", "MB", "GB", "TB", "PB", "EB"]
    var value = Double(count) / 1024
    var unit = 0
    // A value that would round to 1024 belongs to the next unit.
    while value >= 1023.5, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    let tenths = (value * 10).rounded()
    let number =
      tenths < 100 && tenths.truncatingRemainder(dividingBy: 10) != 0
      ? decimal(value, fractionDigits: 1) : decimal(value, fractionDigits: 0)
    return "\(number) \(units[unit])"
  }

  /// A whole number in groups of three digits: `1,234,567`.
  static func count(_ count: Int64) -> String {
    var text = ""
    let digits = String(count.magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return count < 0 ? "-\(text)" : text
  }

  /// A number of things: `1 row`, `2 rows`.
  static func count(_ count: Int64, _ noun: String) -> String {
    "\(Self.count(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A span of time: `0.01 s`, `12.3 s`, `1 min 15 s`, `2 h 3 min`.
  static func duration(seconds: Double) -> String {
    if seconds < 9.995 { return "\(decimal(max(0, seconds), fractionDigits: 2)) s" }
    if seconds < 59.95 { return "\(decimal(seconds, fractionDigits: 1)) s" }
    return wholeDuration(seconds: seconds)
  }

  /// A span of time without fractions: `3 s`, `1 min 15 s`, `2 h 3 min`.
  static func wholeDuration(seconds: Double) -> String {
    guard seconds < 1e9 else { return "very long" }
    let seconds = Int(max(0, seconds).rounded())
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
  }

  /// A number with a fixed count of digits after the point.
  private static func decimal(_ value: Double, fractionDigits: Int) -> String {
    var scale = 1.0
    for _ in 0..<fractionDigits { scale *= 10 }
    let scaled = String(Int64((value * scale).rounded()))
    guard fractionDigits > 0 else { return scaled }
    let digits =
      String(repeating: "0", count: max(0, fractionDigits + 1 - scaled.count)) + scaled
    return "\(digits.dropLast(fractionDigits)).\(digits.suffix(fractionDigits))"
  }
}
