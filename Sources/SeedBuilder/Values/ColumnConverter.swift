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
  /// Whether the statistics decide on `type`; asked anew only when they change.
  private var isAgreeing = false
  /// The date form of `type`, when it is one.
  private let form: DateForm
  private let layout: PaddedDateText

  /// What to do with the next value.
  private enum Route: UInt8 {
    /// Nothing can change the column any more.
    case text
    /// Neither here.
    case blob
    case integer
    case real
    case trueFalse
    case yesNo
    case isoDate
    /// A date of ten bytes that ends in the year.
    case paddedDate
    /// A date or date-time of any one form but the declared one.
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
    switch type {
    case .date(let form), .dateTime(let form): self.form = form
    default: form = .declared
    }
    layout = PaddedDateText(form)
    chooseRoute()
  }

  /// Converts one value; `scratch` has room for ``scratchSize`` bytes, for `scratchText` alone.
  package mutating func convert(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into scratch: UnsafeMutablePointer<UInt8>
  ) -> ConvertedValue {
    if route == .text { return .sameText }
    if route == .blob { return .base64 }
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
      if let value = BooleanText.trueFalse(bytes, count) {
        statistics.valueCount &+= 1
        return .integer(value ? 1 : 0)
      }
    case .yesNo:
      if let value = BooleanText.yesNo(bytes, count) {
        statistics.valueCount &+= 1
        return .integer(value ? 1 : 0)
      }
    case .isoDate:
      if count == 10, DateText(bytes, count).forms == ValueForms(.isoDate) {
        statistics.valueCount &+= 1
        return .sameText
      }
    case .paddedDate:
      if count == 10, layout.convert(bytes, into: scratch) {
        statistics.valueCount &+= 1
        return .scratchText(count: 10)
      }
    case .date:
      if let value = quickDate(bytes, count, into: scratch) { return value }
    case .text, .blob, .observed: break
    }
    return convertObserved(bytes, count, into: scratch)
  }

  /// Up to here every integer has at most fifteen digits, which a double keeps.
  private static var certainlyReal: UInt64 { 999_999_999_999_999 }

  @inline(never)
  private mutating func quickReal(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    guard let decimal = DecimalText(bytes, count),
      let value = decimal.quickValue ?? DecimalText.exactValue(bytes, count)
    else { return nil }
    let decimals = decimal.decimals
    if decimals != statistics.minimumDecimals || decimals != statistics.maximumDecimals
      || decimal.hasTrailingZero != statistics.hasTrailingZero
      || decimal.hasZeroTenth != statistics.hasZeroTenth
    {
      let minimum = min(decimals, statistics.minimumDecimals)
      let maximum = max(decimals, statistics.maximumDecimals)
      let hasTrailingZero = decimal.hasTrailingZero || statistics.hasTrailingZero
      let hasZeroTenth = decimal.hasZeroTenth || statistics.hasZeroTenth
      guard
        minimum == maximum || !hasTrailingZero && !(hasZeroTenth && minimum == 0)
      else { return nil }
      statistics.minimumDecimals = minimum
      statistics.maximumDecimals = maximum
      statistics.hasTrailingZero = hasTrailingZero
      statistics.hasZeroTenth = hasZeroTenth
    }
    statistics.valueCount &+= 1
    return value
  }

  @inline(never)
  private mutating func quickDate(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into scratch: UnsafeMutablePointer<UInt8>
  ) -> ConvertedValue? {
    let text = DateText(bytes, count)
    guard text.forms.contains(ValueForms(form)) else { return nil }
    let fields = text.fields(as: form)
    let result: ConvertedValue
    if isKept(fields) {
      result = .sameText
    } else {
      let timeZone = statistics.rules.timeZone
      guard let end = DateTimeWriter.write(fields, of: bytes, timeZone: timeZone, into: scratch)
      else { return nil }
      result = .scratchText(count: end)
    }
    statistics.valueCount &+= 1
    return result
  }

  /// Whether a text of the column's form is ISO 8601 already.
  @inline(__always)
  private func isKept(_ fields: DateTimeFields) -> Bool {
    switch form {
    case .isoDate: true
    case .isoDateTime, .spacedDateTime:
      fields.zone != .none || statistics.rules.timeZone == nil
    default: false
    }
  }
}

extension ColumnConverter {
  /// Opens the short way when no form is alive but those that its own parsing keeps track of.
  private mutating func chooseRoute() {
    let alive = statistics.alive
    isAgreeing = statistics.columnType == type
    route = .observed
    guard isAgreeing else { return }
    switch type {
    case .text:
      if statistics.isFinal { route = .text }
    case .blob: route = .blob
    case .integer:
      if alive == .integer || alive == [.integer, .real] { route = .integer }
    case .real:
      if alive == .real { route = .real }
    case .boolean(.trueFalse):
      if alive == .booleanTrueFalse { route = .trueFalse }
    case .boolean(.yesNo):
      if alive == .booleanYesNo { route = .yesNo }
    case .date, .dateTime:
      guard alive == ValueForms(form), form != .declared else { return }
      route = form == .isoDate ? .isoDate : layout.isUsable ? .paddedDate : .date
    }
  }

  private mutating func convertObserved(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into scratch: UnsafeMutablePointer<UInt8>
  ) -> ConvertedValue {
    if count > 0, statistics.observe(bytes, count) { chooseRoute() }
    guard isAgreeing else { return .contradiction }
    if type == .text { return .sameText }
    if count == 0 { return .null }
    switch type {
    case .text: return .sameText
    case .blob: return .base64
    case .integer:
      return IntegerText.parse(bytes, count).map { .integer($0) } ?? .contradiction
    case .real:
      return DecimalText.exactValue(bytes, count).map { .real($0) } ?? .contradiction
    case .boolean(.trueFalse): return .integer(bytes[0] == UInt8(ascii: "t") ? 1 : 0)
    case .boolean(.yesNo): return .integer(bytes[0] == UInt8(ascii: "Y") ? 1 : 0)
    case .date, .dateTime: return convertDate(bytes, count, into: scratch)
    }
  }

  private func convertDate(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into scratch: UnsafeMutablePointer<UInt8>
  ) -> ConvertedValue {
    let fields: DateTimeFields
    if form == .declared {
      guard let matched = statistics.rules.datePattern?.fields(bytes, count) else {
        return .contradiction
      }
      fields = matched
    } else {
      fields = DateText(bytes, count).fields(as: form)
      if isKept(fields) { return .sameText }
    }
    let timeZone = statistics.rules.timeZone
    return DateTimeWriter.write(fields, of: bytes, timeZone: timeZone, into: scratch)
      .map { .scratchText(count: $0) } ?? .contradiction
  }
}
