/// Splits a date pattern into steps and refuses one that names no date.
struct DatePatternParser {
  private let text: String
  private var rest: Substring.UnicodeScalarView
  private var steps: [DatePattern.Step] = []
  /// The field whose number may have one digit or two, while nothing has bounded it yet.
  private var unbounded: String?

  init(_ text: String) {
    self.text = text
    rest = Substring(text).unicodeScalars
  }

  /// The steps of the whole pattern.
  mutating func parse() throws(ValueRulesError) -> [DatePattern.Step] {
    while let scalar = rest.first {
      if scalar == "'" {
        try readQuoted()
      } else if scalar.isASCII, scalar.properties.isAlphabetic {
        try readField(scalar)
      } else {
        rest.removeFirst()
        addLiteral(scalar)
      }
    }
    try checkFields()
    recogniseUTCLetter()
    return steps
  }

  private func failure(_ reason: ValueRulesError.Reason) -> ValueRulesError {
    ValueRulesError(reason, in: text)
  }

  private mutating func addLiteral(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      steps.append(DatePattern.Step(kind: .literal, byte: byte))
    }
    if !("0"..."9").contains(scalar) { unbounded = nil }
  }

  /// A quoted text; two quotes, inside or outside of one, are a literal quote.
  private mutating func readQuoted() throws(ValueRulesError) {
    rest.removeFirst()
    if rest.first == "'" {
      rest.removeFirst()
      addLiteral("'")
      return
    }
    while let scalar = rest.popFirst() {
      if scalar != "'" {
        addLiteral(scalar)
      } else if rest.first == "'" {
        rest.removeFirst()
        addLiteral("'")
      } else {
        return
      }
    }
    throw failure(.unclosedPatternQuote)
  }

  private mutating func readField(_ letter: Unicode.Scalar) throws(ValueRulesError) {
    var field = ""
    while rest.first == letter {
      rest.removeFirst()
      field.unicodeScalars.append(letter)
    }
    guard let step = DatePatternParser.step(of: field) else {
      throw failure(.unknownPatternField(field))
    }
    guard !steps.contains(where: { $0.isSameField(as: step) }) else {
      throw failure(.repeatedPatternField(field))
    }
    // A zone begins with a sign or a letter; every other field begins with a digit.
    if let unbounded, step.kind != .basicZone, step.kind != .colonZone {
      throw failure(.unboundedPatternField(unbounded))
    }
    unbounded = step.width == 1 && step.kind != .fraction ? field : nil
    steps.append(step)
  }

  private static func step(of field: String) -> DatePattern.Step? {
    switch field {
    case "yyyy": DatePattern.Step(kind: .year, width: 4)
    case "MM", "M": DatePattern.Step(kind: .month, width: field.utf8.count)
    case "dd", "d": DatePattern.Step(kind: .day, width: field.utf8.count)
    case "HH", "H": DatePattern.Step(kind: .hour, width: field.utf8.count)
    case "mm": DatePattern.Step(kind: .minute, width: 2)
    case "ss": DatePattern.Step(kind: .second, width: 2)
    case "Z": DatePattern.Step(kind: .basicZone)
    case "XXX": DatePattern.Step(kind: .colonZone)
    case _ where field.first == "S" && field.utf8.count <= 9:
      DatePattern.Step(kind: .fraction, width: field.utf8.count)
    default: nil
    }
  }

  /// Every date needs year, month and day; a smaller unit of time needs all larger ones.
  private func checkFields() throws(ValueRulesError) {
    let kinds = Set(steps.map(\.kind))
    let needs: [(field: String, kind: DatePattern.Step.Kind, isNeeded: Bool)] = [
      ("yyyy", .year, true), ("MM", .month, true), ("dd", .day, true),
      (
        "HH", .hour,
        !kinds.isDisjoint(with: [.minute, .second, .fraction, .basicZone, .colonZone])
      ),
      ("mm", .minute, kinds.contains(.hour)),
      ("ss", .second, kinds.contains(.fraction)),
    ]
    for (field, kind, isNeeded) in needs where isNeeded && !kinds.contains(kind) {
      throw failure(.missingPatternField(field))
    }
  }

  private mutating func recogniseUTCLetter() {
    guard let last = steps.indices.last, steps[last].kind == .literal,
      steps[last].byte == UInt8(ascii: "Z"), steps.contains(where: { $0.kind == .hour }),
      !steps.contains(where: { $0.kind == .basicZone || $0.kind == .colonZone })
    else { return }
    steps[last] = DatePattern.Step(kind: .utcLetter)
  }
}

extension DatePattern.Step {
  /// Whether both name the same part of a date; literals never do.
  fileprivate func isSameField(as other: DatePattern.Step) -> Bool {
    switch (kind, other.kind) {
    case (.literal, _), (_, .literal): false
    case (.basicZone, .colonZone), (.colonZone, .basicZone): true
    default: kind == other.kind
    }
  }
}
