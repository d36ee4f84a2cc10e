internal import SeedBuilder
internal import SeedModel

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
