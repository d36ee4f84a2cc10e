internal import SeedModel

/// An element that is an array, a dictionary or a text inside of a Transformable.
final class StructuredValue {
  let name: String
  /// Whether elements of its name are the items of an array.
  let isArrayItem: Bool
  /// The key of a row of a keyed collection.
  private(set) var key: String?
  private var members: [(name: String, element: Member)] = []
  private var hasAttributes = false
  private var text: [UInt8] = []
  private var hasText = false

  private enum Member {
    case text(String)
    case element(StructuredValue)

    var value: PropertyList {
      switch self {
      case .text(let text): .string(text)
      case .element(let element): element.value
      }
    }

    var isArrayItem: Bool {
      if case .element(let element) = self { element.isArrayItem } else { false }
    }

    var key: String? {
      if case .element(let element) = self { element.key } else { nil }
    }
  }

  init(name: String, isArrayItem: Bool) {
    self.name = name
    self.isArrayItem = isArrayItem
  }

  func add(attribute name: QualifiedName, _ value: String) {
    if name == .collectionKey {
      key = value
      return
    }
    hasAttributes = true
    members.append((name.local, .text(value)))
  }

  func add(_ element: StructuredValue) {
    members.append((element.name, .element(element)))
  }

  func add(text bytes: UnsafeBufferPointer<UInt8>, isBlank: Bool) {
    text += bytes
    if !isBlank { hasText = true }
  }

  /// What it is: a text when there is nothing inside; an array when all that is inside has one
  /// name, and that is no member of an object; else a dictionary, in which what comes several times
  /// is an array.
  var value: PropertyList {
    guard let first = members.first else {
      return .string(String(decoding: text, as: UTF8.self))
    }
    // The items of an array that are neither arrays nor objects.
    if isArrayItem, members.count == 1, first.name == "text", case .text(let text) = first.element {
      return .string(text)
    }
    let isList =
      !hasAttributes
      && members.allSatisfy {
        $0.name == first.name && !$0.element.isArrayItem && $0.element.key == nil
      }
    if isList { return .array(members.map(\.element.value)) }
    var result: [String: PropertyList] = [:]
    for name in Set(members.map(\.name)) {
      let own = members.filter { $0.name == name }.map(\.element)
      result[name] =
        StructuredValue.collection(own.map { ($0.key, $0.value) })
        ?? (own.count > 1 || own[0].isArrayItem ? .array(own.map(\.value)) : own[0].value)
    }
    return .dictionary(result)
  }

  /// The dictionary that the rows of a keyed collection are; nil when some have no key.
  static func collection(_ rows: [(key: String?, value: PropertyList)]) -> PropertyList? {
    var result: [String: PropertyList] = [:]
    for row in rows {
      guard let key = row.key else { return nil }
      result[key] = row.value
    }
    return .dictionary(result)
  }

  /// What in it has no form of its own here, in formats whose values have no names; nil when there is
  /// no such thing.
  ///
  /// The items of an array in an array look like those of a member "item", and null looks like an array
  /// or object with nothing in it.
  var ambiguity: String? {
    if isArrayItem {
      if members.isEmpty, text.isEmpty { return "has null or something empty in an array" }
      if !members.isEmpty, members.allSatisfy({ $0.name == "item" && $0.element.isArrayItem }) {
        return "has an array, or an object with a member \"item\", in an array"
      }
    }
    for case (_, .element(let element)) in members {
      if let ambiguity = element.ambiguity { return ambiguity }
    }
    return nil
  }

  /// Whether text stands among elements, of which nothing would be kept.
  var losesText: Bool { hasText && !members.isEmpty }
}

extension PropertyList {
  /// Whether it is an array or a dictionary.
  var isStructured: Bool {
    switch self {
    case .array, .dictionary: true
    default: false
    }
  }

  /// Whether there is a text in it that a number or a truth value may have been.
  var hasNumberLikeTexts: Bool {
    switch self {
    case .string(let text): text == "true" || text == "false" || Double(text) != nil
    case .array(let elements): elements.contains(where: \.hasNumberLikeTexts)
    case .dictionary(let members): members.values.contains(where: \.hasNumberLikeTexts)
    default: false
    }
  }
}
