internal import SeedModel

/// Takes the members of one object by their keys, and notes what is wrong with them.
///
/// Whatever is wrong is in the log; what is then returned only serves to find more errors.
struct ObjectReader {
  let kind: ObjectKind
  let location: SourceLocation
  let log: ErrorLog
  private let values: [String: LocatedJSON]

  /// Reads an object; nil when the value is none.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - kind: What it describes.
  ///   - key: The key that it is the value of, for messages; without it, the kind's title.
  ///   - expected: What may stand there.
  ///   - log: Where errors go.
  init?(
    _ json: LocatedJSON, _ kind: ObjectKind, key: String? = nil, expected: String = "an object",
    log: ErrorLog
  ) {
    guard case .object(let members) = json.value else {
      log.addType(of: json, subject: key.map { "\"\($0)\"" } ?? kind.title, expected: expected)
      return nil
    }
    self.kind = kind
    location = json.location
    self.log = log
    let known = Set(kind.keys)
    for member in members where !known.contains(member.name.value) {
      log.add(
        .unknownKey(member.name.value, kind), at: member.name.location ?? member.value.location)
    }
    values = Dictionary(members.map { ($0.name.value, $0.value) }) { first, _ in first }
  }

  /// The value of a key, of whatever type.
  ///
  /// - Precondition: The kind of object knows the key.
  func value(_ key: String) -> LocatedJSON? {
    precondition(kind.keys.contains(key), "\(kind.title) has no key \"\(key)\"")
    return values[key]
  }

  /// Whether a key is there, whatever its value.
  func has(_ key: String) -> Bool { value(key) != nil }

  /// The value of a key that must be there.
  func required(_ key: String) -> LocatedJSON? {
    let value = value(key)
    if value == nil { log.add(.missingKey(key, kind), at: location) }
    return value
  }

  /// Notes that a value is of the right type but cannot be.
  func refuse(_ value: LocatedJSON, _ key: String, hint: String) {
    log.add(
      .unusableValue(ObjectReader.shown(value), key: key, hint: hint), at: value.location)
  }

  /// A value as messages show it.
  static func shown(_ json: LocatedJSON) -> String {
    switch json.value {
    case .string(let text) where text.isEmpty: "an empty string"
    case .string(let text): "\"\(text)\""
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let value): "\(value)"
    case .array(let elements) where elements.isEmpty: "an empty array"
    case .object(let members) where members.isEmpty: "an empty object"
    default: json.kindName
    }
  }
}

extension ObjectReader {
  /// A string that is not empty.
  func text(_ key: String) -> Located<String>? {
    value(key).flatMap { text($0, key) }
  }

  /// A string that is not empty and must be there.
  func requiredText(_ key: String) -> Located<String>? {
    required(key).flatMap { text($0, key) }
  }

  /// A value as a string that is not empty.
  func text(_ json: LocatedJSON, _ key: String) -> Located<String>? {
    guard case .string(let text) = json.value else {
      log.addType(of: json, key, expected: "a string")
      return nil
    }
    guard !text.isEmpty else {
      refuse(json, key, hint: "write a text, or leave the key out")
      return nil
    }
    return Located(text, at: json.location)
  }

  /// A truth value.
  func flag(_ key: String) -> Located<Bool>? {
    guard let json = value(key) else { return nil }
    guard case .bool(let flag) = json.value else {
      log.addType(of: json, key, expected: "true or false")
      return nil
    }
    return Located(flag, at: json.location)
  }

  /// An integer that fits in 32 bits.
  func integer(_ key: String) -> Located<Int32>? {
    guard let json = value(key) else { return nil }
    guard case .integer(let number) = json.value else {
      log.addType(of: json, key, expected: "a whole number")
      return nil
    }
    guard let value = Int32(exactly: number) else {
      refuse(json, key, hint: "use a number from \(Int32.min) to \(Int32.max)")
      return nil
    }
    return Located(value, at: json.location)
  }

  /// One of the words that a type has.
  func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable & Hashable>(
    _ key: String, of type: Choice.Type
  ) -> Located<Choice>? {
    guard let json = value(key) else { return nil }
    let words = Choice.allCases.map(\.rawValue)
    guard case .string(let text) = json.value else {
      log.addType(of: json, key, expected: "one of \(words.joined(separator: ", "))")
      return nil
    }
    guard let choice = Choice(rawValue: text) else {
      let nearest = Suggestion.nearest(to: text, in: words)
      refuse(
        json, key,
        hint: nearest.map { "did you mean \"\($0)\"?" } ?? "use "
          + words.joined(separator: ", "))
      return nil
    }
    return Located(choice, at: json.location)
  }

  /// An array of strings that is not empty, without a string twice.
  func texts(_ json: LocatedJSON, _ key: String, expected: String = "an array of names")
    -> [Located<String>]
  {
    guard case .array(let elements) = json.value else {
      log.addType(of: json, key, expected: expected)
      return []
    }
    if elements.isEmpty { refuse(json, key, hint: "name at least one, or leave the key out") }
    var seen: Set<String> = []
    return elements.compactMap { element in
      guard case .string = element.value else {
        log.addType(of: element, subject: "a name in \"\(key)\"", expected: "a string")
        return nil
      }
      guard let text = text(element, key) else { return nil }
      if !seen.insert(text.value).inserted {
        refuse(element, key, hint: "name each one once")
      }
      return text
    }
  }

  /// The members of an object whose names the user chooses.
  func entries(_ key: String, named what: String) -> [LocatedJSON.Member] {
    guard let json = value(key) else { return [] }
    guard case .object(let members) = json.value else {
      log.addType(of: json, key, expected: "an object")
      return []
    }
    for member in members where member.name.value.isEmpty {
      log.add(
        .unusableValue("an empty string", key: key, hint: "name \(what)"),
        at: member.name.location ?? json.location)
    }
    return members.filter { !$0.name.value.isEmpty }
  }

  /// Notes keys that must not stand beside another one.
  func exclude(_ keys: [String], beside other: String) {
    guard has(other) else { return }
    for key in keys {
      if let value = value(key) { log.add(.conflictingKeys(key, other), at: value.location) }
    }
  }
}
