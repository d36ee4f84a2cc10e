internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// The default that a model gives an attribute, as its column stores it.
///
/// It goes by the rules for values of records: Core Data checks an object when it is saved, wherever
/// its values come from.
struct ModelDefault {
  let value: SQLiteValue
  /// What is wrong with it, to follow "which".
  let fault: String?

  /// What stands in the column of a default that must not be stored: no value of a record is like it.
  private static let marker = SQLiteValue.real(.nan)

  /// Nil when the model gives none.
  init?(_ attribute: ModelAttribute) {
    guard let value = attribute.defaultValue else { return nil }
    var attribute = attribute
    attribute.isGuessed = false
    var conversion = AttributeConversion(attribute, rules: .standard, learnt: nil)
    let outcome: AttributeConversion.RuleOutcome
    switch value {
    case .boolean(let isTrue): outcome = .stored(.integer(isTrue ? 1 : 0))
    case .uuid(let bytes): outcome = .stored(.blob(bytes))
    case .date(let seconds): outcome = Self.date(seconds, attribute)
    case .integer(let number): outcome = conversion.stored("\(number)")
    case .decimal(let text): outcome = conversion.stored(text)
    // The text has the digits that a Double has lost.
    case .real(let number): outcome = conversion.stored(attribute.defaultText ?? "\(number)")
    case .text(let text):
      outcome = attribute.type == .uri ? .stored(.text(text)) : conversion.stored(text)
    }
    switch outcome {
    case .stored(let stored):
      self.value = stored
      fault = nil
    case .misfit(let reason, _):
      self.value = Self.marker
      fault = reason ?? "is none of the type \(attribute.type.rawValue)"
    case .reread: preconditionFailure("one value leaves nothing to read again")
    }
  }

  private static func date(
    _ seconds: Double, _ attribute: ModelAttribute
  ) -> AttributeConversion.RuleOutcome {
    guard abs(seconds) <= Double(DateRule.farthest) else {
      return .misfit("is beyond the year 10000", hint: nil)
    }
    if let fault = BoundsCheck(attribute)?.fault(ofDate: seconds) {
      return .misfit(fault, hint: nil)
    }
    return .stored(.real(seconds))
  }
}
