package import SeedModel

/// What all values of one column seen so far allow the column to be.
///
/// Observing only removes possibilities, so the order of values does not matter, and seeing the
/// same values again changes no decision. Only the counts grow: see ``restartCounts()``.
package struct ValueStatistics: Sendable {
  /// The forms that every non-empty value so far supports.
  package internal(set) var alive: ValueForms
  /// How many values that are not empty were observed while a form was alive.
  package internal(set) var valueCount = 0
  /// How many empty values were observed while a form was alive.
  package internal(set) var emptyCount = 0
  /// The value that made the column TEXT, when the ones before agreed on another type.
  package private(set) var nearMiss: ValueNearMiss?
  /// The first value that would have been a time, had its zone not skipped it.
  package private(set) var skippedTime: String?
  /// Whether some value was nothing but blanks, which makes a column TEXT.
  ///
  /// Not told by `alive`: where elements turn out to be records, their blanks are formatting.
  package private(set) var hasBlankValue = false

  /// The fewest and the most digits behind the point; meaningful while `real` is alive.
  var minimumDecimals = Int32.max
  var maximumDecimals: Int32 = 0
  /// Whether several decimals of any value end in a zero.
  var hasTrailingZero = false
  /// Whether the only decimal of any value is a zero.
  var hasZeroTenth = false
  /// Whether the values are numbers with a decimal comma.
  private var commas = CommaNumbers.none
  private var hasYes = false
  /// Whether the values are binary data, as only the reader knows.
  private var data = DataUse.none

  /// How many of a column's values are binary data.
  private enum DataUse { case none, some, all }

  package let rules: ValueRules

  /// Statistics of a column of which no value was seen yet.
  package init(rules: ValueRules = .standard) {
    self.rules = rules
    alive = rules.initialForms
  }

  /// Takes one value into account.
  ///
  /// An empty value contradicts nothing. Says whether the value may have changed the type.
  @discardableResult
  package mutating func observe(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard !alive.isEmpty else { return commas.observe(bytes, count) }
    guard count > 0 else {
      emptyCount &+= 1
      return false
    }
    if isBlank(bytes, count) { return observeBlank(bytes, count) }
    valueCount &+= 1
    let hadYes = hasYes
    let surviving = survivingForms(bytes, count)
    guard surviving != alive else { return hasYes != hadYes }
    if surviving.isEmpty {
      noteNearMiss(bytes, count)
      commas = CommaNumbers(
        first: UnsafeBufferPointer(start: bytes, count: count), after: hasIntegersAlone)
    }
    alive = surviving
    return true
  }

  private mutating func observeBlank(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    valueCount &+= 1
    guard !hasBlankValue else { return false }
    noteNearMiss(bytes, count)
    hasBlankValue = true
    return true
  }

  /// The same statistics as if no value had been nothing but blanks.
  func withoutBlankValues() -> ValueStatistics {
    var result = self
    result.hasBlankValue = false
    if !alive.isEmpty { result.nearMiss = nil }
    return result
  }

  /// Takes into account what was observed of the same column elsewhere.
  package mutating func merge(_ other: ValueStatistics) {
    let isComma = [self, other].allSatisfy { $0.commas == .all || $0.hasIntegersAlone }
    commas =
      isComma && (commas == .all || other.commas == .all)
      ? .all : commas == other.commas ? commas : .mixed
    alive.formIntersection(other.alive)
    valueCount += other.valueCount
    emptyCount += other.emptyCount
    minimumDecimals = min(minimumDecimals, other.minimumDecimals)
    maximumDecimals = max(maximumDecimals, other.maximumDecimals)
    hasTrailingZero = hasTrailingZero || other.hasTrailingZero
    hasZeroTenth = hasZeroTenth || other.hasZeroTenth
    hasYes = hasYes || other.hasYes
    hasBlankValue = hasBlankValue || other.hasBlankValue
    if !hasAgreeingDecimals { alive.remove(.real) }
    if nearMiss == nil { nearMiss = other.nearMiss }
    if skippedTime == nil { skippedTime = other.skippedTime }
    mergeData(other)
  }

  private mutating func mergeData(_ other: ValueStatistics) {
    guard data != .none || other.data != .none else { return }
    let isAll = [self, other].allSatisfy { $0.data == .all || $0.data == .none && !$0.hasValues }
    data = isAll ? .all : .some
    if data == .some { nearMiss = nil }
  }

  /// Whether no value was anything but an integer.
  private var hasIntegersAlone: Bool { alive.contains(.integer) && !hasBlankValue }

  /// Whether the column stays TEXT because a comma in its numbers may be decimal or part thousands.
  package var hasCommaNumbers: Bool {
    commas == .all && !hasBlankValue && data == .none
  }

  /// Whether any value has been seen that is not empty.
  private var hasValues: Bool { hasBlankValue || alive != rules.initialForms }

  /// Takes into account what the reader says of the values.
  mutating func declare(_ declared: DocumentFacts.DeclaredValues) {
    if declared.contains(.real) { alive.remove(.integer) }
    guard declared.contains(.data) else { return }
    data = declared.contains(.mixedData) ? .some : .all
    nearMiss = nil
  }

  /// Sets the counts to zero and keeps all that was learnt, for reading the same input again.
  package mutating func restartCounts() {
    valueCount = 0
    emptyCount = 0
  }

  /// Whether all values have the same number of decimals, or none has zeros at their end.
  ///
  /// `12.0` beside `1.25` loses nothing, as SQLite writes both so; beside `12` it would.
  @inline(__always)
  var hasAgreeingDecimals: Bool {
    minimumDecimals >= maximumDecimals
      || !hasTrailingZero && !(hasZeroTenth && minimumDecimals == 0)
  }

  /// The type that the values so far make the column; TEXT when they leave it open.
  package var columnType: ColumnType {
    switch data {
    case .all: return .blob
    case .some: return .text
    case .none: break
    }
    if alive.isEmpty || hasBlankValue || alive == rules.initialForms { return .text }
    if let form = alive.intersection(rules.preferredForms).firstDateForm {
      return rules.datePattern?.hasTime == true ? .dateTime(form) : .date(form)
    }
    if alive.contains(.integer) { return .integer }
    if alive.contains(.real) { return .real }
    if alive.contains(.booleanTrueFalse) { return .boolean(.trueFalse) }
    // NO alone may be Norway.
    if alive.contains(.booleanYesNo) { return hasYes ? .boolean(.yesNo) : .text }
    guard ambiguity == nil, let form = alive.firstDateForm else { return .text }
    return form.hasTime ? .dateTime(form) : .date(form)
  }

  /// The two readings of the column's dates when nothing says which number is the day.
  ///
  /// The column is TEXT then, until a value settles it or the user declares a date format.
  package var ambiguity: DateAmbiguity? {
    guard !hasBlankValue, alive != rules.initialForms, alive.isDisjoint(with: rules.preferredForms),
      let dayFirst = alive.intersection(.dayFirst).firstDateForm,
      let monthFirst = alive.intersection(.monthFirst).firstDateForm
    else { return nil }
    return DateAmbiguity(dayFirst: dayFirst, monthFirst: monthFirst)
  }

  /// Whether no further value can change the type: the column is TEXT for good.
  ///
  /// As long as all are numbers with a comma, the next one is worth a look all the same.
  package var isFinal: Bool {
    alive.isEmpty && commas != .all || hasBlankValue || data == .some
  }

  @inline(__always)
  private func isBlank(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    for index in 0..<count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: return false
      }
    }
    return true
  }

  private mutating func noteNearMiss(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let type = columnType
    guard type != .text || ambiguity != nil else { return }
    let shown = UnsafeBufferPointer(
      start: bytes, count: min(count, ValueNearMiss.maximumByteCount))
    nearMiss = ValueNearMiss(
      type: type, precedingCount: valueCount - 1, value: String(decoding: shown, as: UTF8.self))
  }
}

extension ValueStatistics {
  /// The alive forms that a non-empty value supports too.
  private mutating func survivingForms(
    _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) -> ValueForms {
    var result: ValueForms = []
    if alive.contains(ValueForms(.declared)), matchesPattern(bytes, count) {
      result = ValueForms(.declared)
    }
    switch bytes[0] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if !alive.isDisjoint(with: [.integer, .real]) {
        result.formUnion(numberForms(bytes, count))
      }
      let dates = alive.intersection(.knownDates)
      if !dates.isEmpty { result.formUnion(dateForms(bytes, count).intersection(dates)) }
    case UInt8(ascii: "-"), UInt8(ascii: "."):
      result.formUnion(numberForms(bytes, count))
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      if BooleanText.trueFalse(bytes, count) != nil {
        result.formUnion(alive.intersection(.booleanTrueFalse))
      }
    case UInt8(ascii: "Y"), UInt8(ascii: "N"):
      if let isYes = BooleanText.yesNo(bytes, count) {
        hasYes = hasYes || isYes
        result.formUnion(alive.intersection(.booleanYesNo))
      }
    default: break
    }
    return result
  }

  private mutating func numberForms(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> ValueForms {
    var result: ValueForms = []
    if alive.contains(.integer), IntegerText.parse(bytes, count) != nil { result = .integer }
    guard alive.contains(.real), let decimal = DecimalText(bytes, count),
      decimal.exactValue(bytes, count) != nil
    else { return result }
    minimumDecimals = min(minimumDecimals, decimal.decimals)
    maximumDecimals = max(maximumDecimals, decimal.decimals)
    hasTrailingZero = hasTrailingZero || decimal.hasTrailingZero
    hasZeroTenth = hasZeroTenth || decimal.hasZeroTenth
    return hasAgreeingDecimals ? result.union(.real) : result
  }

  private mutating func dateForms(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> ValueForms {
    let text = DateText(bytes, count)
    guard let timeZone = rules.timeZone, let form = text.forms.firstDateForm, form.hasTime,
      text.fields(as: form).zone == .none
    else { return text.forms }
    // A local time that the zone skipped in that reading has no instant to convert to.
    var result: ValueForms = []
    var rest = text.forms
    while let form = rest.firstDateForm {
      rest.remove(ValueForms(form))
      if DateTimeWriter.utc(text.fields(as: form), from: timeZone) != nil {
        result.formUnion(ValueForms(form))
      }
    }
    if result.isEmpty { noteSkipped(bytes, count) }
    return result
  }

  private mutating func noteSkipped(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard skippedTime == nil else { return }
    let shown = UnsafeBufferPointer(
      start: bytes, count: min(count, ValueNearMiss.maximumByteCount))
    skippedTime = String(decoding: shown, as: UTF8.self)
  }

  private mutating func matchesPattern(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard let fields = rules.datePattern?.fields(bytes, count) else { return false }
    guard fields.hasTime, fields.zone == .none, let timeZone = rules.timeZone else { return true }
    guard DateTimeWriter.utc(fields, from: timeZone) != nil else {
      noteSkipped(bytes, count)
      return false
    }
    return true
  }
}
