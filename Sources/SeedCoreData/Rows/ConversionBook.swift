internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// The conversions of one reading of all inputs.
///
/// All values of one attribute are read in one way, wherever they stand, unless a rule says
/// something else of some of them.
final class ConversionBook {
  private let rules: ValueRules
  private let learnt: LearntFacts
  /// The conversions by number, in memory that does not move while one is used.
  private(set) var conversions: [UnsafeMutablePointer<AttributeConversion>] = []
  private var numbers: [String: Int] = [:]
  /// What messages call the attribute of each.
  private var names: [(key: String, what: String)] = []
  /// What rules give, by the numbers of their conversions, with what is stored of it.
  private var ruleValues: [Int: (rule: Located<JSONValue>, stored: SQLiteValue)] = [:]

  init(rules: ValueRules, learnt: LearntFacts) {
    self.rules = rules
    self.learnt = learnt
  }

  deinit {
    for conversion in conversions {
      conversion.deinitialize(count: 1)
      conversion.deallocate()
    }
  }

  var timeZone: TimeZoneRule? { rules.timeZone }

  /// The number of the conversion with a key, made when it is first asked for.
  func number(
    _ key: String, of attribute: ModelAttribute, what: String,
    preparing prepare: (inout AttributeConversion) -> Void = { _ in }
  ) -> Int {
    if let known = numbers[key] { return known }
    let memory = UnsafeMutablePointer<AttributeConversion>.allocate(capacity: 1)
    memory.initialize(
      to: AttributeConversion(attribute, rules: rules, learnt: learnt.forms[key]))
    prepare(&memory.pointee)
    numbers[key] = conversions.count
    conversions.append(memory)
    names.append((key, what))
    return conversions.count - 1
  }

  /// Keeps what the values have shown for the next reading.
  func learn() {
    for (index, conversion) in conversions.enumerated() {
      learnt.forms[names[index].key] = conversion.pointee.learntForms
    }
  }

  // MARK: Rules

  /// The value of a rule as the column stores it, by what is known so far; nil, with a report, when it
  /// is none.
  func stored(
    _ rule: Located<JSONValue>, _ conversion: Int, _ misfits: RowMisfits
  ) -> SQLiteValue? {
    switch conversions[conversion].pointee.outcome(of: rule).0 {
    case .stored(let stored):
      ruleValues[conversion] = (rule, stored)
      return stored
    case .reread: preconditionFailure("a rule's value tells nothing about others")
    case .misfit(let reason, let hint): report(rule, conversion, reason, hint, misfits)
    }
    return nil
  }

  /// Looks at what rules give once more, when all values have shown how they are written.
  ///
  /// - Returns: Whether what was stored is right; if not, the inputs have to be read again.
  func settleRuleValues(_ misfits: RowMisfits) -> Bool {
    var isRight = true
    for (conversion, known) in ruleValues.sorted(by: { $0.key < $1.key }) {
      let (outcome, own) = conversions[conversion].pointee.outcome(of: known.rule)
      // Then it is all that there is to be read in two ways.
      if let own { conversions[conversion].pointee = own }
      switch outcome {
      case .stored(let stored): if stored != known.stored { isRight = false }
      case .reread: preconditionFailure("a rule's value tells nothing about others")
      case .misfit(let reason, let hint): report(known.rule, conversion, reason, hint, misfits)
      }
    }
    return isRight || !misfits.isEmpty
  }

  private func report(
    _ rule: Located<JSONValue>, _ conversion: Int, _ reason: String?, _ hint: String?,
    _ misfits: RowMisfits
  ) {
    let attribute = conversions[conversion].pointee.attribute
    misfits.addOnce(
      "\(rule.spelling ?? rule.value.shortText) does not fit into attribute \"\(attribute.name)\" "
        + "of the type \(attribute.type.rawValue)" + (reason.map { ": it \($0)" } ?? ""),
      hint: hint ?? "write a value of that type", at: .known(rule.location))
  }

  // MARK: Remarks

  /// What to say of binary data that can be read in two ways.
  func digitRemarks(file: String) -> [Diagnostic] {
    conversions.enumerated().filter { $1.pointee.hasAmbiguousDigits }.map { index, _ in
      Diagnostic(
        .warning, BinaryAmbiguity.message(about: names[index].what), at: SourceLocation(file: file),
        hint: BinaryAmbiguity.hint)
    }
  }

  /// Notes dates that can be read in two ways to the end.
  func reportAmbiguities(_ misfits: RowMisfits, file: String) {
    for (index, conversion) in conversions.enumerated() {
      guard let ambiguity = conversion.pointee.ambiguity else { continue }
      misfits.addOnce(
        "the dates in \(names[index].what) can be read in two ways",
        hint: "say which with --date-format \(ambiguity.dayFirst.pattern)"
          + " or --date-format \(ambiguity.monthFirst.pattern)",
        at: .known(SourceLocation(file: file)))
    }
  }
}

/// What readings of the inputs have found out for the next.
final class LearntFacts {
  /// How the values of attributes are written, by the keys of their conversions.
  var forms: [String: LearntForms] = [:]
  /// The paths, with their documents, of elements that turned out to be objects.
  var objects: Set<String> = []
  /// The paths of elements that turned out to be items of arrays.
  var arrays: Set<String> = []
  /// The values that objects inside need of elements around them, by the same paths.
  var slots: [String: [FieldPath]] = [:]
}
