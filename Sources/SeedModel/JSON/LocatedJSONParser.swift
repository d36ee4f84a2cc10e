/// Reads JSON as RFC 8259 defines it, and nothing else: no comments, no trailing commas.
///
/// Stops at the first thing that is wrong but for names that stand twice in an object, which are
/// collected, since what follows them can still be understood.
package struct LocatedJSONParser {
  /// How many arrays and objects may be open at once in a file that people write.
  package static let depthLimit = 64

  /// The text.
  package let text: SourceText
  /// How many arrays and objects may be open at once.
  package var depthLimit = LocatedJSONParser.depthLimit
  /// Whether numbers keep the text that they are written as; none is then too large.
  package var keepsLiterals = false
  var index = 0
  /// The number read last, as it is written.
  var literal: String?
  /// The names that stand twice in their object.
  package private(set) var repetitions: [JSONError] = []

  /// A parser at the start of a text.
  package init(_ text: SourceText) {
    self.text = text
  }

  /// Reads the whole text as one value.
  ///
  /// - Throws: ``JSONError``.
  package mutating func parse() throws(JSONError) -> LocatedJSON {
    try skipBlanks()
    guard current != nil else { throw error(.empty, at: 0) }
    let root = try value(depth: 0)
    try skipBlanks()
    guard current == nil else { throw unexpected(expected: "the end of the file") }
    return root
  }

  // MARK: Characters

  /// The character that is next; nil at the end.
  var current: Unicode.Scalar? { index < text.scalars.count ? text.scalars[index] : nil }

  /// An error at the character of an index.
  func error(_ reason: JSONError.Reason, at index: Int) -> JSONError {
    let location = text.location(of: index)
    return JSONError(reason, at: location, excerpt: text.excerpt(at: location))
  }

  /// An error about the next character.
  func unexpected(expected: String) -> JSONError {
    guard let current else {
      return error(.unexpected(found: "the end of the file", expected: expected), at: index)
    }
    if LocatedJSONParser.otherQuotes.contains(current) { return error(.otherQuote, at: index) }
    let found = current == "\"" ? "a string" : "\"\(current)\""
    return error(.unexpected(found: found, expected: expected), at: index)
  }

  /// Quotes that JSON does not know but that people and word processors write.
  static let otherQuotes: Set<Unicode.Scalar> = [
    "'", "`", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}",
  ]

  private mutating func skipBlanks() throws(JSONError) {
    while let current {
      switch current {
      case " ", "\t", "\n", "\r": index += 1
      case "#": throw error(.comment, at: index)
      case "/": throw error(.comment, at: index)
      default: return
      }
    }
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(JSONError) -> LocatedJSON {
    let start = index
    let value: LocatedJSON.Value
    literal = nil
    switch current {
    case "{": value = .object(try members(depth: depth + 1))
    case "[": value = .array(try elements(depth: depth + 1))
    case "\"": value = .string(try string())
    case let scalar? where LocatedJSONParser.startsNumber(scalar): value = try number()
    case let scalar? where LocatedJSONParser.isWordPart(scalar): value = try word()
    default: throw unexpected(expected: "a value")
    }
    var result = LocatedJSON(value, at: text.location(of: start))
    switch value {
    case .integer, .number: result.literal = literal
    default: break
    }
    return result
  }

  private mutating func members(depth: Int) throws(JSONError) -> [LocatedJSON.Member] {
    let start = try open(depth: depth)
    var members: [LocatedJSON.Member] = []
    // By their bytes: Swift's strings are equal also when only their meaning is.
    var lines: [[UInt8]: Int] = [:]
    while try hasNext(after: members.isEmpty ? nil : start, open: start, "}", "an object") {
      let place = index
      guard current == "\"" else { throw nameError() }
      let name = Located(try string(), at: text.location(of: place))
      let bytes = Array(name.value.utf8)
      if let line = lines[bytes] {
        repetitions.append(error(.duplicateKey(name.value, line: line), at: place))
      } else {
        lines[bytes] = name.location?.line
      }
      try skipBlanks()
      guard current == ":" else { throw unexpected(expected: "a colon") }
      index += 1
      try skipBlanks()
      members.append(LocatedJSON.Member(name: name, value: try value(depth: depth)))
    }
    return members
  }

  private mutating func elements(depth: Int) throws(JSONError) -> [LocatedJSON] {
    let start = try open(depth: depth)
    var elements: [LocatedJSON] = []
    while try hasNext(after: elements.isEmpty ? nil : start, open: start, "]", "an array") {
      elements.append(try value(depth: depth))
    }
    return elements
  }

  /// Takes the opening bracket and says where it stands.
  private mutating func open(depth: Int) throws(JSONError) -> Int {
    guard depth <= depthLimit else { throw error(.tooDeep(limit: depthLimit), at: index) }
    index += 1
    return index - 1
  }

  /// Goes on to the next part of an array or object, or takes its closing bracket.
  private mutating func hasNext(
    after previous: Int?, open start: Int, _ closing: Unicode.Scalar, _ what: String
  ) throws(JSONError) -> Bool {
    try skipBlanks()
    guard let scalar = current else {
      throw error(.unclosed(what), at: start)
    }
    if scalar == closing {
      index += 1
      return false
    }
    guard previous != nil else { return true }
    guard scalar == "," else {
      throw unexpected(expected: "a comma or \"\(closing)\"")
    }
    let comma = index
    index += 1
    try skipBlanks()
    if current == closing { throw error(.trailingComma, at: comma) }
    if current == nil { throw error(.unclosed(what), at: start) }
    return true
  }

  /// What is wrong where the name of a member should stand.
  private func nameError() -> JSONError {
    let name = text.scalars[index...].prefix(while: LocatedJSONParser.isWordPart)
    guard !name.isEmpty else { return unexpected(expected: "a name in double quotes") }
    var word = ""
    word.unicodeScalars.append(contentsOf: name)
    return error(.bareName(word), at: index)
  }

  /// Whether a character starts a number, or what people take for one.
  private static func startsNumber(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "-", "+", ".": true
    default: false
    }
  }

  /// Whether a character belongs to a name or a number that is written without quotes.
  static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: scalar.properties.isAlphabetic
    }
  }
}
