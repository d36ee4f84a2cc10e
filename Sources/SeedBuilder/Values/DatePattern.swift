/// A date format in the letters of Unicode date patterns, such as `dd.MM.yyyy HH:mm`.
///
/// Known are `yyyy MM M dd d HH H mm ss S… Z XXX`; other letters must be quoted. `M`, `d` and `H`
/// accept one digit or two: the user says so, and the date meant is clear. A literal `Z` that
/// ends a pattern with a time means UTC, as everyone who quotes it means.
package struct DatePattern: Sendable, Hashable {
  /// One piece of the pattern.
  struct Step: Sendable, Hashable {
    enum Kind: UInt8, Sendable {
      case year, month, day, hour, minute, second, fraction
      /// `±hhmm`.
      case basicZone
      /// `Z` or `±hh:mm`.
      case colonZone
      /// The letter `Z` that means UTC.
      case utcLetter
      case literal
    }

    var kind: Kind
    /// How many digits a number has; 1 for one or two.
    var width = 0
    /// The byte that must stand there, of a literal.
    var byte: UInt8 = 0
  }

  /// The pattern as it was given.
  package let text: String
  /// Whether values name a time of day, so that the column is DATETIME.
  package let hasTime: Bool
  let steps: [Step]

  /// Reads a pattern.
  ///
  /// - Throws: ``ValueRulesError`` for an unknown, repeated, missing or unbounded field, and for
  ///   a quote that is not closed.
  package init(_ text: String) throws(ValueRulesError) {
    var parser = DatePatternParser(text)
    steps = try parser.parse()
    hasTime = steps.contains { $0.kind == .hour }
    self.text = text
  }
}

extension DatePattern {
  /// The fields of a text in this pattern, or nil when it does not match or names no real time.
  func fields(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> DateTimeFields? {
    var fields = DateTimeFields()
    let end = steps.withUnsafeBufferPointer { steps in
      var index = 0
      for step in steps {
        guard let next = DatePattern.read(step, bytes, from: index, count, into: &fields) else {
          return -1
        }
        index = next
      }
      return index
    }
    guard end == count, fields.hour <= 23, fields.minute <= 59, fields.second <= 59,
      CalendarDate.isValid(year: fields.year, month: fields.month, day: fields.day)
    else { return nil }
    return fields
  }

  /// Reads one step at `index` and says where the next begins, or nil when it does not match.
  private static func read(
    _ step: Step, _ bytes: UnsafePointer<UInt8>, from index: Int, _ count: Int,
    into fields: inout DateTimeFields
  ) -> Int? {
    switch step.kind {
    case .literal:
      return index < count && bytes[index] == step.byte ? index + 1 : nil
    case .utcLetter:
      guard index < count, bytes[index] == UInt8(ascii: "Z") else { return nil }
      fields.zone = .utc
      return index + 1
    case .basicZone, .colonZone:
      return readZone(step.kind, bytes, from: index, count, into: &fields)
    case .year, .month, .day, .hour, .minute, .second, .fraction:
      return readNumber(step, bytes, from: index, count, into: &fields)
    }
  }

  private static func readZone(
    _ kind: Step.Kind, _ bytes: UnsafePointer<UInt8>, from index: Int, _ count: Int,
    into fields: inout DateTimeFields
  ) -> Int? {
    guard index < count else { return nil }
    let isLetter = kind == .colonZone && bytes[index] == UInt8(ascii: "Z")
    let end = index + (isLetter ? 1 : kind == .colonZone ? 6 : 5)
    guard end <= count, TimeText.readZone(bytes, from: index, end, into: &fields) else {
      return nil
    }
    switch fields.zone {
    case .basic: return kind == .basicZone ? end : nil
    case .colon, .utc: return kind == .colonZone ? end : nil
    case .none, .spacedBasic: return nil
    }
  }

  private static func readNumber(
    _ step: Step, _ bytes: UnsafePointer<UInt8>, from start: Int, _ count: Int,
    into fields: inout DateTimeFields
  ) -> Int? {
    let limit = start + (step.width == 1 && step.kind != .fraction ? 2 : step.width)
    var index = start
    var number = 0
    while index < min(limit, count), bytes[index] &- UInt8(ascii: "0") <= 9 {
      number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index - start >= step.width else { return nil }
    switch step.kind {
    case .year: fields.year = number
    case .month: fields.month = number
    case .day: fields.day = number
    case .hour:
      fields.hour = number
      fields.hasTime = true
    case .minute: fields.minute = number
    case .second:
      fields.second = number
      fields.hasSeconds = true
    case .fraction:
      fields.fractionStart = start
      fields.fractionCount = step.width
    case .basicZone, .colonZone, .utcLetter, .literal: break
    }
    return index
  }
}
