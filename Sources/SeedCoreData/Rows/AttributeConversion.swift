internal import SeedBuilder
internal import SeedModel

/// Turns the texts of a document into what the column of one attribute stores.
struct AttributeConversion {
  /// What became of a value.
  enum Outcome: Equatable {
    /// There is no value.
    case null
    case integer(Int64)
    case real(Double)
    /// The text as it is.
    case sameText
    /// So many bytes in the scratch memory.
    case scratchBlob(count: Int)
    case blob([UInt8])
    /// The value does not fit, as the words say that follow it in a message.
    case misfit(String, hint: String?)
  }

  /// A text of a plain value takes at most so many bytes once it is converted.
  static let scratchSize = 16

  let attribute: ModelAttribute
  /// How dates are read.
  private(set) var dates = DateReading()
  /// Whether a date was converted while it could be read in two ways.
  private(set) var hasGuessedDates = false
  /// How binary data is written, if a rule says so.
  private var isHexadecimal: Bool?
  /// Whether a text was read as hexadecimal digits because it may be such.
  private(set) var hasGuessedDigits = false
  /// Whether such texts may be base64 as well.
  private var digits = BinaryAmbiguity()
  /// Texts that mean no value.
  var nullTexts: Set<[UInt8]> = []
  var isTrimmed = false
  /// Whether numbers are written as ``DecimalComma`` has them.
  private var hasDecimalComma = false
  /// Whether there was a value so far whose form says how others are written.
  private var hasValues = false
  /// Whether the values were refused as a whole, so that nothing more is said of single ones.
  var isRefused = false
  private let check: BoundsCheck?
  /// Looked at first: the check itself is much to copy.
  private let hasCheck: Bool

  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - rules: What was said of all dates.
  ///   - learnt: What an earlier reading found out about this attribute's values.
  init(_ attribute: ModelAttribute, rules: ValueRules, learnt: LearntForms?) {
    self.attribute = attribute
    check = BoundsCheck(attribute)
    hasCheck = check != nil
    isHexadecimal = learnt?.isHexadecimal
    if let pattern = rules.datePattern {
      // The pattern of all sources does not forbid ISO 8601, which means nothing else.
      dates = DateReading(pattern: pattern, timeZone: rules.timeZone)
      dates.allowsISO = true
    } else if let forms = learnt?.dateForms {
      dates = DateReading(knowing: forms, timeZone: rules.timeZone)
    } else {
      dates = DateReading(timeZone: rules.timeZone)
    }
  }

  /// Reads values as a rule says.
  ///
  /// - Returns: What is wrong with the format, if something is.
  mutating func use(format: String, timeZone: TimeZoneRule?) -> (message: String, hint: String?)? {
    switch attribute.type {
    case .date:
      do {
        dates = DateReading(pattern: try DatePattern(format), timeZone: timeZone)
      } catch {
        return ("\(error)", error.hint)
      }
    case .binary, .transformable:
      guard format == "hex" || format == "base64" else {
        return ("\"\(format)\" is no format of binary data", "write \"base64\" or \"hex\"")
      }
      isHexadecimal = format == "hex"
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      guard format == DecimalComma.name else {
        return (
          "\"\(format)\" is no format of numbers", "write \"\(DecimalComma.name)\", or leave it out"
        )
      }
      hasDecimalComma = true
    case .boolean, .string, .uri, .uuid, .undefined:
      return (
        "attribute \"\(attribute.name)\" of the type \(attribute.type.rawValue) has no format",
        "leave \"format\" out"
      )
    }
    return nil
  }

  /// The values are known to be data in base64.
  mutating func takesBase64() { isHexadecimal = false }

  /// Whether they are.
  var isKnownData: Bool { isHexadecimal == false }

  /// What this reading has found out, to be known from the start of the next.
  var learntForms: LearntForms {
    var learnt = LearntForms()
    if dates.pattern == nil, dates.hasForeignForm { learnt.dateForms = dates.forms }
    // A guess is not known: values to come may show that it was wrong.
    if attribute.type == .binary { learnt.isHexadecimal = isHexadecimal }
    return learnt
  }

  /// The two readings of the dates, when nothing has told which is meant.
  var ambiguity: DateAmbiguity? { hasGuessedDates ? dates.ambiguity : nil }

  /// Whether all values can be read in two ways, and nothing has told which is meant.
  var hasAmbiguousDigits: Bool { hasGuessedDigits && isHexadecimal == nil && digits.isAmbiguous }

  // MARK: Rules

  /// What a text of a rule is: read as the values are, as far as they have shown that, and without
  /// telling anything about them.
  ///
  /// - Returns: What became of it, and what is known then if the values have told nothing: nil when
  ///   they have.
  func storedBesideValues(_ text: String, isPointed: Bool) -> (RuleOutcome, AttributeConversion?) {
    var copy = self
    // What means no value in a record is one here, or it would not have been written.
    copy.nullTexts = []
    if isPointed { copy.hasDecimalComma = false }
    // What was guessed of values holds for what stands beside them.
    if copy.hasGuessedDigits, copy.isHexadecimal == nil { copy.isHexadecimal = true }
    copy.hasGuessedDates = false
    let outcome = copy.stored(text)
    copy.hasDecimalComma = hasDecimalComma
    copy.nullTexts = nullTexts
    return (outcome, hasValues || hasGuessedDates ? nil : copy)
  }

  // MARK: Values

  /// Converts one value; `scratch` has room for ``scratchSize`` bytes.
  ///
  /// - Throws: ``RereadNeeded`` when values before were read in another way than they must be.
  mutating func convert(
    _ value: UnsafeBufferPointer<UInt8>, into scratch: UnsafeMutablePointer<UInt8>
  ) throws -> Outcome {
    if !nullTexts.isEmpty, nullTexts.contains(Array(value)) { return .null }
    guard let bytes = value.baseAddress, !value.isEmpty else {
      return attribute.type == .string ? checkedText(value) : .null
    }
    if hasDecimalComma { return try pointed(value, into: scratch) }
    if attribute.isGuessed, let outcome = guessed(value, bytes, into: scratch) { return outcome }
    switch attribute.type {
    case .integer16, .integer32, .integer64: return integer(bytes, value.count)
    case .boolean:
      return ValueConversion.truth(bytes, value.count).map { .integer($0) }
        ?? .misfit("is not a truth value", hint: "write true or false, yes or no, 1 or 0")
    case .double, .float: return real(bytes, value.count)
    case .decimal: return decimal(bytes, value.count)
    case .date: return try date(bytes, value.count)
    case .string: return checkedText(value)
    case .uri: return uri(value)
    case .uuid: return uuid(value, into: scratch)
    case .binary: return try binary(value)
    case .transformable, .undefined: return .sameText
    }
  }

  /// A number that is written with a comma.
  private mutating func pointed(
    _ value: UnsafeBufferPointer<UInt8>, into scratch: UnsafeMutablePointer<UInt8>
  ) throws -> Outcome {
    guard let number = DecimalComma.pointed(value) else {
      return .misfit(
        "is not a number with a decimal comma", hint: "correct it, or name it a text for NULL")
    }
    var plain = self
    plain.hasDecimalComma = false
    plain.nullTexts = []
    return try number.withUnsafeBufferPointer { try plain.convert($0, into: scratch) }
  }

  /// What a value is for a column of which only the declared type is known: truth values are
  /// integers, and UUIDs are data.
  private func guessed(
    _ value: UnsafeBufferPointer<UInt8>, _ bytes: UnsafePointer<UInt8>,
    into scratch: UnsafeMutablePointer<UInt8>
  ) -> Outcome? {
    switch attribute.type {
    case .integer64 where IntegerText.parse(bytes, value.count) == nil:
      return ValueConversion.truth(bytes, value.count).map { .integer($0) }
    case .binary:
      if case .scratchBlob(let count) = uuid(value, into: scratch) {
        return .scratchBlob(count: count)
      }
      return nil
    default: return nil
    }
  }

  private func integer(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    guard let number = IntegerText.parse(bytes, count) else {
      let text = Self.text(bytes, count)
      guard let other = Int64(text) else {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        let isNumber =
          !digits.isEmpty
          && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return .misfit(isNumber ? outOfRange : "is not an integer", hint: nil)
      }
      return .misfit(
        "would change: as an integer it is \(other)", hint: "make the attribute a String to keep it"
      )
    }
    guard attribute.type.integerRange?.contains(number) == true else {
      return .misfit(outOfRange, hint: "choose a larger type in the model")
    }
    if hasCheck, let fault = check?.fault(ofInteger: number) { return .misfit(fault, hint: nil) }
    return .integer(number)
  }

  private var outOfRange: String {
    let range = attribute.type.integerRange ?? 0...0
    return
      "does not fit into \(attribute.type.rawValue) (\(range.lowerBound) to \(range.upperBound))"
  }

  private func real(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    guard let number = Self.number(bytes, count) else { return notANumber(bytes, count) }
    // A Float is kept as the double that it is.
    let stored = attribute.type == .float ? Double(Float(number)) : number
    guard stored.isFinite else {
      return .misfit("does not fit into \(attribute.type.rawValue)", hint: nil)
    }
    let text = UnsafeBufferPointer(start: bytes, count: count)
    let change = RealText.change(of: text, number, isFloat: attribute.type == .float)
    if let change {
      return .misfit(
        "\(change) as a \(attribute.type.rawValue)",
        hint: attribute.type == .float
          ? "make the attribute a Double, an Integer 64 or a String to keep it"
          : "make the attribute an Integer 64, a Decimal or a String to keep it")
    }
    if hasCheck, let fault = check?.fault(ofNumber: stored) { return .misfit(fault, hint: nil) }
    return .real(stored)
  }

  /// Core Data binds a text, and the column's affinity makes a number of it: that number is bound
  /// here, without the last bit that some versions of SQLite get wrong.
  private func decimal(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    if let integer = IntegerText.parse(bytes, count) { return decimal(integer) }
    if let number = DecimalText.exactValue(bytes, count), DecimalLimits.areFar(from: number) {
      if hasCheck, let fault = check?.fault(ofNumber: number) { return .misfit(fault, hint: nil) }
      return .real(number)
    }
    guard let digits = NumberDigits(UnsafeBufferPointer(start: bytes, count: count)) else {
      return notANumber(bytes, count)
    }
    if let integer = digits.integer { return decimal(integer) }
    if let fault = DecimalLimits.fault(of: digits) {
      return .misfit(fault, hint: "make the attribute a Double or a String")
    }
    guard let number = DecimalLimits.stored(digits) else {
      return .misfit(
        "has more digits than a Core Data store keeps of a Decimal",
        hint: "round it to 15 digits, or make the attribute a String")
    }
    if hasCheck, let fault = check?.fault(ofNumber: number) { return .misfit(fault, hint: nil) }
    return .real(number)
  }

  private func decimal(_ integer: Int64) -> Outcome {
    if hasCheck, let fault = check?.fault(ofWhole: integer) { return .misfit(fault, hint: nil) }
    return .integer(integer)
  }

  private func notANumber(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    let hasComma = UnsafeBufferPointer(start: bytes, count: count).contains(UInt8(ascii: ","))
    return .misfit(
      "is not a number",
      hint: hasComma
        ? "say \"format\": \"\(DecimalComma.name)\" of the attribute in seed.json, or write a point"
        : nil)
  }

  private mutating func date(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws -> Outcome {
    if dates.pattern == nil {
      let wasAmbiguous = hasGuessedDates
      dates.observe(bytes, count)
      hasValues = dates.hasForeignForm
      if dates.ambiguity != nil {
        hasGuessedDates = true
      } else if wasAmbiguous {
        // What was read so far may have been read wrongly.
        throw RereadNeeded()
      }
    }
    switch dates.instant(bytes, count) {
    case .seconds(let seconds):
      if hasCheck, let fault = check?.fault(ofDate: seconds) { return .misfit(fault, hint: nil) }
      return .real(seconds)
    case .skipped: return .misfit(ZoneGap.message, hint: ZoneGap.hint)
    case .notADate:
      return .misfit(
        "is not a date or time\(dates.formText)",
        hint: dates.pattern == nil ? dateHint(bytes, count) : nil)
    }
  }

  private func dateHint(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
    guard Self.number(bytes, count) == nil else {
      return "a number does not tell since when it counts, nor what: write a date such as "
        + "2024-03-01T12:00:00Z"
    }
    return "say how dates are written with --date-format, or \"format\" in seed.json"
  }

  private func checkedText(_ value: UnsafeBufferPointer<UInt8>) -> Outcome {
    if hasCheck, let fault = check?.fault(ofText: value) { return .misfit(fault, hint: nil) }
    return .sameText
  }

  private func uri(_ value: UnsafeBufferPointer<UInt8>) -> Outcome {
    URIText.isAbsolute(value)
      ? .sameText
      : .misfit(
        "is not an absolute URI",
        hint: URIText.hasScheme(value)
          ? "write blanks and other characters that no URI has with %, such as %20"
          : "write one with its scheme, such as https://…")
  }

  private func uuid(
    _ value: UnsafeBufferPointer<UInt8>, into scratch: UnsafeMutablePointer<UInt8>
  ) -> Outcome {
    guard let bytes = ModelValue.uuid(String(decoding: value, as: UTF8.self)) else {
      return .misfit(
        "is not a UUID", hint: "write it like 7A4F21D0-55C2-4C41-8E4F-2B9C3E1D6A10")
    }
    scratch.update(from: bytes, count: bytes.count)
    return .scratchBlob(count: bytes.count)
  }

  private mutating func binary(_ value: UnsafeBufferPointer<UInt8>) throws -> Outcome {
    guard !isRefused else { return .blob([]) }
    hasValues = true
    let data: [UInt8]
    switch isHexadecimal {
    case true?:
      guard let bytes = BinaryText.hexadecimal(value) else {
        return .misfit("is no data in hexadecimal digits", hint: nil)
      }
      data = bytes
    case false?:
      guard let bytes = Base64.bytes(of: value) else {
        return .misfit("is no data in base64", hint: "say how it is written with \"format\"")
      }
      data = bytes
    case nil:
      // What may be either is read as digits only when every value may.
      digits.observe(value)
      if let bytes = BinaryText.hexadecimal(value) {
        hasGuessedDigits = true
        data = bytes
      } else {
        guard let bytes = Base64.bytes(of: value) else {
          return .misfit("is no data in base64 or in hexadecimal digits", hint: nil)
        }
        let hadGuessed = hasGuessedDigits
        isHexadecimal = false
        if hadGuessed { throw RereadNeeded() }
        data = bytes
      }
    }
    if BinaryList.isBroken(data) { return .misfit(BinaryList.reason, hint: BinaryList.hint) }
    return .blob(attribute.allowsExternalStorage ? [0x01] + data : data)
  }

  // MARK: Texts

  private static func number(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    ModelValue.number(text(bytes, count))
  }

  private static func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}

/// What one reading has found out about how an attribute's values are written.
struct LearntForms {
  var dateForms: ValueForms?
  var isHexadecimal: Bool?
}

/// Says that the inputs have to be read again from their start with what was learnt.
struct RereadNeeded: Error {}
