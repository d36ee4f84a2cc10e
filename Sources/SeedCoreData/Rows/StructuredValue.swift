internal import SeedModel

/// An element that is an array, a dictionary or a text inside of a Transformable.
final class StructuredValue {
  let name: String
  /// What it was in the document, once it has ended.
  var form = ElementForm.plain
  /// Whether elements of its name are the items of an array, in a document that says so of names only.
  private let isNamedItem: Bool
  /// The key of a row of a keyed collection.
  private(set) var key: String?
  private var members: [(name: String, element: Member)] = []
  private var hasAttributes = false
  private var text: [UInt8] = []
  private var hasText = false

  private enum Member {
    case text(String)
    case empty(PropertyList)
    case element(StructuredValue)

    var value: PropertyList {
      switch self {
      case .text(let text): .string(text)
      case .empty(let value): value
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

  init(name: String, isNamedItem: Bool) {
    self.name = name
    self.isNamedItem = isNamedItem
  }

  /// Whether it is an item of an array, even if it is the only one.
  var isArrayItem: Bool { form == .plain ? isNamedItem : form.isItem }

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

  func add(empty value: PropertyList, _ name: String) {
    members.append((name, .empty(value)))
  }

  func add(text bytes: UnsafeBufferPointer<UInt8>, isBlank: Bool) {
    text += bytes
    if !isBlank { hasText = true }
  }

  /// What it is.
  var value: PropertyList {
    switch form {
    case .plain: plainValue
    case .object, .item: dictionary
    case .collection:
      StructuredValue.collection(members.map { ($0.element.key, $0.element.value) })
        ?? .dictionary([:])
    case .array: .array(members.map(\.element.value))
    case .value, .null: members.first?.element.value ?? .string("")
    }
  }

  /// A text when there is nothing inside; an array when all that is inside has one name, and that is
  /// no member of an object; else a dictionary.
  private var plainValue: PropertyList {
    guard let first = members.first else {
      return .string(String(decoding: text, as: UTF8.self))
    }
    let isList =
      !hasAttributes
      && members.allSatisfy {
        $0.name == first.name && !$0.element.isArrayItem && $0.element.key == nil
      }
    return isList ? .array(members.map(\.element.value)) : dictionary
  }

  /// The members by their names; what comes several times is an array.
  private var dictionary: PropertyList {
    var result: [String: PropertyList] = [:]
    for (name, own) in Dictionary(grouping: members, by: \.name) {
      let elements = own.map(\.element)
      // Each value once: asked for twice at each level, the work would double with every level.
      let values = elements.map(\.value)
      result[name] =
        StructuredValue.collection(zip(elements, values).map { ($0.key, $1) })
        ?? (values.count > 1 || elements[0].isArrayItem ? .array(values) : values[0])
    }
    return .dictionary(result)
  }

  /// The dictionary that the rows of a keyed collection are; nil when some have no key, or
  /// there are none.
  static func collection(_ rows: [(key: String?, value: PropertyList)]) -> PropertyList? {
    guard !rows.isEmpty else { return nil }
    var result: [String: PropertyList] = [:]
    for row in rows {
      guard let key = row.key else { return nil }
      result[key] = row.value
    }
    return .dictionary(result)
  }

  /// Whether a null stands in it, of which an archive of texts has no like.
  ///
  /// One that is the value of an object's member is like no member.
  var hasNull: Bool {
    form == .null
      || members.contains {
        if case .element(let element) = $0.element { element.hasNull } else { false }
      }
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
