internal import SeedModel
internal import SeedSQLite

/// What all values of a column allow it to be, by the rules of a build.
///
/// A build decides the same for millions of values while it loads them; here a column's values are
/// all at hand. The tests hold the two together.
internal struct ColumnEvidence {
  /// Whether some number is written with a fraction or an exponent, which makes no INTEGER.
  var hasDecimals = false
  /// Whether some value is not empty.
  private(set) var hasValues = false

  private var isInteger = true
  private var isReal = true
  private var isTrueFalse = true
  private var isYesNo = true
  private var dates: Set<DateForm>?
  private var isBlank = false
  private var hasYes = false
  private var decimalCounts: (least: Int, most: Int) = (.max, 0)
  private var hasTrailingZero = false
  private var hasZeroTenth = false

  /// Takes a value into account; an empty one contradicts nothing.
  mutating func observe(_ text: String) {
    guard !text.isEmpty else { return }
    hasValues = true
    if text.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
      isBlank = true
      return
    }
    isInteger = isInteger && NumberText.integer(text) != nil
    if isReal { observeDecimal(text) }
    isTrueFalse = isTrueFalse && (text == "true" || text == "false")
    isYesNo = isYesNo && (text == "YES" || text == "NO")
    hasYes = hasYes || text == "YES"
    if dates?.isEmpty != true {
      let forms = DateShape(text).forms
      dates = dates.map { $0.intersection(forms) } ?? forms
    }
  }

  private mutating func observeDecimal(_ text: String) {
    guard let number = DecimalNumber(text), number.exactValue != nil else {
      isReal = false
      return
    }
    decimalCounts.least = min(decimalCounts.least, number.decimalCount)
    decimalCounts.most = max(decimalCounts.most, number.decimalCount)
    hasTrailingZero = hasTrailingZero || number.endsInZero && number.decimalCount > 1
    hasZeroTenth = hasZeroTenth || number.endsInZero && number.decimalCount == 1
    // `12.0` beside `1.25` loses nothing, as SQLite writes both so; beside `12` it would.
    isReal =
      decimalCounts.least >= decimalCounts.most
      || !hasTrailingZero && !(hasZeroTenth && decimalCounts.least == 0)
  }

  /// The type of the column; TEXT when the values leave it open.
  var type: SeedModel.ColumnType {
    guard hasValues, !isBlank else { return .text }
    if isInteger, !hasDecimals { return .integer }
    if isReal { return .real }
    if isTrueFalse { return .boolean(.trueFalse) }
    // NO alone may be Norway.
    if isYesNo { return hasYes ? .boolean(.yesNo) : .text }
    guard let dates,
      dates.isDisjoint(with: DateShape.dayFirst)
        || dates.isDisjoint(with: DateShape.monthFirst),
      let form = dates.min(by: { $0.rawValue < $1.rawValue })
    else { return .text }
    return form.hasTime ? .dateTime(form) : .date(form)
  }

  /// A value as a column of a type has it; nil when it does not fit.
  static func value(_ text: String, as type: SeedModel.ColumnType) -> SQLiteValue? {
    if type == .text { return .text(text) }
    guard !text.isEmpty else { return .null }
    switch type {
    case .text, .blob: return .text(text)
    case .integer: return NumberText.integer(text).map { .integer($0) }
    case .real: return DecimalNumber(text)?.exactValue.map { .real($0) }
    case .boolean(.trueFalse): return .integer(text == "true" ? 1 : 0)
    case .boolean(.yesNo): return .integer(text == "YES" ? 1 : 0)
    case .date(let form), .dateTime(let form): return .text(DateShape(text).isoText(as: form))
    }
  }
}
