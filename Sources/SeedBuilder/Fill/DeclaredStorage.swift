internal import SeedModel

/// Whether a column keeps what a rule of another type makes of a value: its affinity turns values
/// into others (sqlite.org/datatype3.html, 3), and what it declares is to be true of all its rows.
struct DeclaredStorage {
  private let demand: ColumnDemand
  private let declaredType: String

  /// The storage of a column; nil where values of the type that a rule says stay as they are.
  init?(_ column: TargetTable.Column, isStrict: Bool, given demand: ColumnDemand) {
    let declared = ColumnDemand(declaredType: column.declaredType, isStrict: isStrict)
    guard declared != demand, !DeclaredStorage.isFree(declared) else { return nil }
    if DeclaredStorage.isDate(declared), DeclaredStorage.isDate(demand) { return nil }
    self.demand = declared
    declaredType = column.declaredType
  }

  /// Whether a column takes any value and changes none.
  private static func isFree(_ demand: ColumnDemand) -> Bool {
    demand == .anything || demand == .type(.blob)
  }

  private static func isDate(_ demand: ColumnDemand) -> Bool {
    demand == .type(.date) || demand == .type(.datetime)
  }

  /// What is wrong with a value in this column.
  ///
  /// - Parameters:
  ///   - outcome: What the rule makes of it.
  ///   - source: The text that it was made from.
  ///   - scratch: Where a text stands that is another.
  /// - Returns: Nil when the value stays what it is.
  func misfit(
    _ outcome: ValueConversion.Outcome, _ source: UnsafeBufferPointer<UInt8>,
    _ scratch: UnsafePointer<UInt8>
  ) -> String? {
    let isKept: Bool
    switch outcome {
    case .null, .misfit, .blob: isKept = true
    case .integer(let number): isKept = keeps(number)
    case .real(let number): isKept = keeps(number, source)
    case .sameText: isKept = keepsText(source)
    case .scratchText(let count):
      isKept = keepsText(UnsafeBufferPointer(start: scratch, count: count))
    }
    return isKept ? nil : "would change or be no value of its column, declared \(declaredType),"
  }

  /// What to do about a misfit.
  static let hint = "leave \"type\" out of the column's rule, or declare the column otherwise"

  /// Whether a value of the rules stays what it is.
  func keeps(_ value: JSONValue) -> Bool {
    switch value {
    case .null: return true
    case .bool(let isTrue): return keeps(Int64(isTrue ? 1 : 0))
    case .integer(let number): return keeps(number)
    case .number(let number):
      let text = Array("\(number)".utf8)
      return text.withUnsafeBufferPointer { keeps(number, $0) }
    case .string(let text): return Array(text.utf8).withUnsafeBufferPointer { keepsText($0) }
    case .array, .object:
      return Array(value.text.utf8).withUnsafeBufferPointer { keepsText($0) }
    }
  }

  private func keeps(_ number: Int64) -> Bool {
    switch demand {
    case .type(.real): Int64(exactly: Double(number)) == number
    case .type(.boolean): number == 0 || number == 1
    default: true
    }
  }

  private func keeps(_ number: Double, _ source: UnsafeBufferPointer<UInt8>) -> Bool {
    switch demand {
    case .type(.integer): return Int64(exactly: number) != nil
    case .type(.boolean): return number == 0 || number == 1
    case .type(.text):
      // SQLite writes fifteen digits.
      let text = String(decoding: source, as: UTF8.self)
      return "\(number)" == text && text.utf8.count <= 15 && !text.contains("e")
    default: return true
    }
  }

  /// Whether a text is one of the column's type that is stored as it stands.
  private func keepsText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if demand == .type(.text) { return true }
    var conversion: ValueConversion
    switch demand {
    case .numericAffinity: conversion = ValueConversion(rule: .numericAffinity)
    case .type(.date), .type(.datetime):
      conversion = ValueConversion(rule: .dateTime(DateReading()))
    case .type(.integer): conversion = ValueConversion(rule: .integer)
    case .type(.real): conversion = ValueConversion(rule: .real)
    case .type(.decimal): conversion = ValueConversion(rule: .decimal)
    case .type(.boolean): conversion = ValueConversion(rule: .boolean)
    case .anything, .type: return true
    }
    guard let base = text.baseAddress, !text.isEmpty else { return demand == .numericAffinity }
    return withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: ColumnConverter.scratchSize
    ) { scratch in
      guard let room = scratch.baseAddress else { return false }
      switch conversion.convert(base, text.count, into: room) {
      case .sameText: return true
      case .integer(let number): return IntegerText.parse(base, text.count) == number
      case .real(let number): return "\(number)" == String(decoding: text, as: UTF8.self)
      case .null, .scratchText, .blob, .misfit: return false
      }
    }
  }
}
