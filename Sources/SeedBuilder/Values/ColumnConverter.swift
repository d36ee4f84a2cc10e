package import SeedModel

/// Converts the values of one column to an assumed type, and notices when the type is wrong.
///
/// A value contradicts the assumption exactly when the column's statistics, with the value
/// observed, decide on another type. Most values take a short way that parses once for the
/// assumed type; only what it cannot handle goes through the statistics.
package struct ColumnConverter: Sendable {
  /// The size in bytes of the buffer that ``convert(_:_:into:)`` may write to.
  package static let scratchSize = 64

  package let type: ColumnType
  package private(set) var statistics: ValueStatistics
  private var route: Route

  /// What to do with the next value.
  private enum Route: UInt8 {
    /// Nothing can change the column any more.
    case text
    case integer
    case real
    case trueFalse
    case isoDate
    /// A date or date-time of one form, converted without a time zone.
    case date
    /// Any other situation: observe, decide, convert.
    case observed
  }

  /// A converter to the type that the statistics decide on.
  package init(_ statistics: ValueStatistics) {
    self.init(type: statistics.columnType, statistics: statistics)
  }

  /// A converter to a type that was assumed before.
  package init(type: ColumnType, statistics: ValueStatistics) {
    self.type = type
    self.statistics = statistics
    route = .observed
    chooseRoute()
  }

  /// Converts one value.
  ///
  /// - Parameter scratch: Room for ``scratchSize`` bytes, used for `scratchText` alone.
  package mutating func convert(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into scratch: UnsafeMutablePointer<UInt8>
  ) -> ConvertedValue {
    if route == .text { return .sameText }
    if count == 0 {
      statistics.emptyCount &+= 1
      return route == .observed ? convertObserved(bytes, count, into: scratch) : .null
    }
    switch route {
    case .integer:
      if let value = IntegerText.parse(bytes, count),
        value.magnitude <= ColumnConverter.certainlyReal || statistics.alive == .integer
      {
        statistics.valueCount &+= 1
        return .integer(value)
      }
    case .real:
      if let value = quickReal(bytes, count) { return .real(value) }
    case .trueFalse:
      if let value = trueFalse(bytes, count) { return .integer(value) }
    case .isoDate:
      if count == 10, DateText(bytes, count).forms == ValueForms(.isoDate) {
        statistics.valueCount &+= 1
        return .sameText
      }
    case .date:
      if let value = quickDate(bytes, count, into: scratch) { return value }
    case .text, .observed: break
    }
    return convertObserved(bytes, count, into: scratch)
  }

  /// Up to here every integer has at most fifteen digits, which a double keeps.
  private static var certainlyReal: UInt64 { 999_999_999_999_999 }

  @inline(__always)
  private mutating func quickReal(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    guard let decimal = DecimalText(bytes, count), let value = decimal.quickValue else {
      return nil
    }
    let decimals = decimal.decimals
    if decimals != statistics.minimumDecimals || decimals != statistics.maximumDecimals
      || decimal.hasTrailingZero != statistics.hasTrailingZero
    {
      let minimum = min(decimals, statistics.minimumDecimals)
      let maximum = max(decimals, statistics.maximumDecimals)
      let hasTrailingZero = decimal.hasTrailingZero || statistics.hasTrailingZero
      guard minimum == maximum || !hasTrailingZero else { return nil }
      statistics.minimumDecimals = minimum
      statistics.maximumDecimals = maximum
      statistics.hasTrailingZero = hasTrailingZero
    }
    statistics.valueCount &+= 1
    return value
  }

  @inline(__always)
  private mutating func trueFalse(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
    let value: Int64
    if count == 4, bytes[0] == UInt8(ascii: "t"), bytes[1] == UInt8(ascii: "r"),
      bytes[2] == UInt8(ascii: "u"), bytes[3] == UInt8(ascii: "e")
    {
      value = 1
    } else if count == 5, bytes[0] == UInt8(ascii: "f"), bytes[1] == UInt8(ascii: "a"),
      bytes[2] == UInt8(ascii: "l"), bytes[3] == UInt8(ascii: "s"), bytes[4] == UInt8(ascii: "e")
    {
      value = 0
    } else {
      return nil
    }
    statistics.valueCount &+= 1
    return value
  }

  @inline(__always)
  private mutating func quickDate(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into scratch: UnsafeMutablePointer<UInt8>
  ) -> ConvertedValue? {
    let text = DateText(bytes, count)
    guard text.forms.contains(statistics.alive), let form = statistics.alive.firstDateForm else {
      return nil
    }
    statistics.valueCount &+= 1
    if form == .isoDateTime || form == .spacedDateTime { return .sameText }
    return DateTimeWriter.write(text.fields(as: form), of: bytes, timeZone: nil, into: scratch)
      .map { .scratchText(count: $0) }
  }
}

extension ColumnConverter {
  /// The short way is open when no form is alive but those that its own parsing keeps track of.
  private mutating func chooseRoute() {
    let alive = statistics.alive
    route = .observed
    switch type {
    case .text:
      if alive.isEmpty { route = .text }
    case .integer:
      if alive == .integer || alive == [.integer, .real] { route = .integer }
    case .real:
      if alive == .real { route = .real }
    case .boolean(.trueFalse):
      if alive == .booleanTrueFalse { route = .trueFalse }
    case .boolean(.yesNo): break
    case .date(let form), .dateTime(let form):
      guard alive == ValueForms(form), form != .declared else { return }
      if form == .isoDate {
        route = .isoDate
      } else if !form.hasTime || statistics.rules.timeZone == nil {
        route = .date
      }
    }
  }

  private mutating func convertObserved(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into scratch: UnsafeMutablePointer<UInt8>
  ) -> ConvertedValue {
    if count > 0 {
      let alive = statistics.alive
      statistics.observe(bytes, count)
      if statistics.alive != alive { chooseRoute() }
    }
    guard statistics.columnType == type else { return .contradiction }
    if type == .text { return .sameText }
    if count == 0 { return .null }
    switch type {
    case .text: return .sameText
    case .integer:
      return IntegerText.parse(bytes, count).map { .integer($0) } ?? .contradiction
    case .real:
      return DecimalText(bytes, count)?.exactValue(bytes, count).map { .real($0) }
        ?? .contradiction
    case .boolean(.trueFalse): return .integer(bytes[0] == UInt8(ascii: "t") ? 1 : 0)
    case .boolean(.yesNo): return .integer(bytes[0] == UInt8(ascii: "Y") ? 1 : 0)
    case .date(let form), .dateTime(let form):
      return convertDate(bytes, count, form, into: scratch)
    }
  }

  private func convertDate(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ form: DateForm,
    into scratch: UnsafeMutablePointer<UInt8>
  ) -> ConvertedValue {
    let rules = statistics.rules
    let fields: DateTimeFields
    if form == .declared {
      guard let matched = rules.datePattern?.fields(bytes, count) else { return .contradiction }
      fields = matched
    } else {
      fields = DateText(bytes, count).fields(as: form)
      switch form {
      case .isoDate: return .sameText
      case .isoDateTime, .spacedDateTime:
        if fields.zone != .none || rules.timeZone == nil { return .sameText }
      default: break
      }
    }
    return DateTimeWriter.write(fields, of: bytes, timeZone: rules.timeZone, into: scratch)
      .map { .scratchText(count: $0) } ?? .contradiction
  }
}
