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

  /// The fewest and the most digits behind the point; meaningful while `real` is alive.
  var minimumDecimals = Int32.max
  var maximumDecimals: Int32 = 0
  /// Whether the decimals of any value end in a zero.
  var hasTrailingZero = false
  private var hasYes = false

  package let rules: ValueRules

  /// Statistics of a column of which no value was seen yet.
  package init(rules: ValueRules = .standard) {
    self.rules = rules
    alive = rules.initialForms
  }

  /// Takes one value into account.
  ///
  /// An empty value contradicts nothing.
  package mutating func observe(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard !alive.isEmpty else { return }
    guard count > 0 else {
      emptyCount &+= 1
      return
    }
    valueCount &+= 1
    let surviving = survivingForms(bytes, count)
    guard surviving != alive else { return }
    if surviving.isEmpty { noteNearMiss(bytes, count) }
    alive = surviving
  }

  /// Takes into account what was observed of the same column elsewhere.
  package mutating func merge(_ other: ValueStatistics) {
    alive.formIntersection(other.alive)
    valueCount += other.valueCount
    emptyCount += other.emptyCount
    minimumDecimals = min(minimumDecimals, other.minimumDecimals)
    maximumDecimals = max(maximumDecimals, other.maximumDecimals)
    hasTrailingZero = hasTrailingZero || other.hasTrailingZero
    hasYes = hasYes || other.hasYes
    if !hasAgreeingDecimals { alive.remove(.real) }
    if nearMiss == nil { nearMiss = other.nearMiss }
  }

  /// Sets the counts to zero and keeps all that was learnt, for reading the same input again.
  package mutating func restartCounts() {
    valueCount = 0
    emptyCount = 0
  }

  /// Whether all values have the same number of decimals, or none has zeros at their end.
  @inline(__always)
  var hasAgreeingDecimals: Bool {
    !hasTrailingZero || minimumDecimals >= maximumDecimals
  }

  /// The type that the values so far make the column; TEXT when they leave it open.
  package var columnType: ColumnType {
    if alive.isEmpty || alive == rules.initialForms { return .text }
    if alive.contains(ValueForms(.declared)) {
      return rules.datePattern?.hasTime == true ? .dateTime(.declared) : .date(.declared)
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
    guard alive != rules.initialForms, !alive.contains(ValueForms(.declared)),
      let dayFirst = alive.intersection(.dayFirst).firstDateForm,
      let monthFirst = alive.intersection(.monthFirst).firstDateForm
    else { return nil }
    return DateAmbiguity(dayFirst: dayFirst, monthFirst: monthFirst)
  }

  /// Whether no further value can change the type: the column is TEXT for good.
  package var isFinal: Bool { alive.isEmpty }

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
    case UInt8(ascii: "t") where count == 4 && isWord("true", bytes),
      UInt8(ascii: "f") where count == 5 && isWord("false", bytes):
      result.formUnion(alive.intersection(.booleanTrueFalse))
    case UInt8(ascii: "Y") where count == 3 && isWord("YES", bytes):
      hasYes = true
      result.formUnion(alive.intersection(.booleanYesNo))
    case UInt8(ascii: "N") where count == 2 && isWord("NO", bytes):
      result.formUnion(alive.intersection(.booleanYesNo))
    default: break
    }
    return result
  }

  @inline(__always)
  private func isWord(_ word: StaticString, _ bytes: UnsafePointer<UInt8>) -> Bool {
    for index in 0..<word.utf8CodeUnitCount where word.utf8Start[index] != bytes[index] {
      return false
    }
    return true
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
    return hasAgreeingDecimals ? result.union(.real) : result
  }

  private func dateForms(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> ValueForms {
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
    return result
  }

  private func matchesPattern(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard let fields = rules.datePattern?.fields(bytes, count) else { return false }
    guard fields.hasTime, fields.zone == .none, let timeZone = rules.timeZone else { return true }
    return DateTimeWriter.utc(fields, from: timeZone) != nil
  }
}

extension ValueRules {
  /// The forms of a column of which nothing is known.
  @inline(__always)
  var initialForms: ValueForms {
    datePattern == nil ? .undeclared : ValueForms.undeclared.union(ValueForms(.declared))
  }
}
