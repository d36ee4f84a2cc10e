internal import SeedInput
internal import SeedModel

/// Reading the values that attributes of elements have.
extension ModelReader {
  /// Whether an option is on.
  mutating func flag(_ name: String, _ element: XMLElement) -> Bool {
    switch element.attribute(name) {
    case nil, "NO": return false
    case "YES": return true
    default:
      noteValue(name, element, expected: "YES or NO")
      return false
    }
  }

  /// The text that changes a version hash; an empty one is none.
  func modifier(_ element: XMLElement) -> String? {
    element.attribute("versionHashModifier").flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func noteValue(_ name: String, _ element: XMLElement, expected: String) {
    note(.wrongValue(element.attribute(name) ?? "", of: name, expected: expected), element)
  }

  // MARK: Defaults

  /// The default value of an attribute, if the model has one.
  mutating func defaultValue(_ type: AttributeType, _ element: XMLElement) -> ModelValue? {
    let interval = element.attribute("defaultDateTimeInterval")
    let text = element.attribute("defaultValueString")
    if type != .date, interval != nil {
      note(.wrongDefault("defaultDateTimeInterval", type: type), element)
      return nil
    }
    guard let text = type == .date ? interval ?? text : text else { return nil }
    switch type {
    case .undefined, .binary, .transformable:
      // Xcode keeps what was there before the type was chosen.
      if !text.isEmpty { note(.noDefault(type), element) }
      return nil
    default: break
    }
    guard let value = ModelValue(text, type: type) else {
      note(.wrongDefault(text, type: type), element)
      return nil
    }
    return value
  }

  // MARK: Validation

  /// The least and the most value, and the pattern.
  mutating func bounds(_ type: AttributeType, _ element: XMLElement) -> AttributeBounds {
    var bounds = AttributeBounds()
    let isDate = type == .date
    for option in isDate ? [] : ["minDateTimeInterval", "maxDateTimeInterval"]
    where element.attribute(option) != nil {
      note(
        .wrongBound(element.attribute(option) ?? "", attribute: option, type: type), element)
    }
    let names =
      isDate && element.attribute("minValueString") == nil
        && element.attribute("maxValueString") == nil
      ? ("minDateTimeInterval", "maxDateTimeInterval") : ("minValueString", "maxValueString")
    let least = bound(names.0, type, element)
    let most = bound(names.1, type, element)
    if let least, let most, least.number > most.number {
      note(.crossedBounds(least: least.text, most: most.text), element)
    }
    bounds.least = least?.text
    bounds.most = most?.text
    guard let pattern = element.attribute("regularExpressionString"), !pattern.isEmpty else {
      return bounds
    }
    bounds.pattern = pattern
    if type != .string {
      note(.wrongBound(pattern, attribute: "regularExpressionString", type: type), element)
    } else if let fault = RegularExpressionCheck.fault(in: pattern) {
      note(.wrongPattern(pattern, fault: fault), element)
    }
    return bounds
  }

  /// A bound with its number; of a string, it is that of characters.
  private mutating func bound(
    _ name: String, _ type: AttributeType, _ element: XMLElement
  ) -> (text: String, number: Double)? {
    guard let text = element.attribute(name) else { return nil }
    let number: Double? =
      switch type {
      case .integer16, .integer32, .integer64:
        Int64(text).flatMap { type.integerRange?.contains($0) == true ? Double($0) : nil }
      case .decimal, .double, .float, .date: ModelValue.number(text)
      case .string: Int64(text).flatMap { $0 >= 0 ? Double($0) : nil }
      default: nil
      }
    guard let number else {
      note(.wrongBound(text, attribute: name, type: type), element)
      return nil
    }
    return (text, number)
  }
}

extension ModelValue {
  /// The value that a text is for an attribute; nil when it is none.
  init?(_ text: String, type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = Int64(text), type.integerRange?.contains(number) == true else {
        return nil
      }
      self = .integer(number)
    case .decimal:
      guard ModelValue.number(text) != nil else { return nil }
      self = .decimal(text)
    case .double, .float:
      guard let number = ModelValue.number(text) else { return nil }
      self = .real(number)
    case .boolean:
      // Both spellings of the property lists that Xcode's format grew from.
      switch text {
      case "YES", "1": self = .boolean(true)
      case "NO", "0": self = .boolean(false)
      default: return nil
      }
    case .date:
      guard let seconds = ModelValue.number(text) else { return nil }
      self = .date(seconds)
    case .string, .uri: self = .text(text)
    case .uuid:
      guard let bytes = ModelValue.uuid(text) else { return nil }
      self = .uuid(bytes)
    case .undefined, .binary, .transformable: return nil
    }
  }

  /// A number in digits, with a fraction and an exponent perhaps.
  static func number(_ text: String) -> Double? {
    let allowed = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    guard allowed, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// The 16 bytes of a UUID in its usual spelling.
  static func uuid(_ text: String) -> [UInt8]? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = Array(groups.joined().utf8)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = hexadecimal(digits[index]), let low = hexadecimal(digits[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}
