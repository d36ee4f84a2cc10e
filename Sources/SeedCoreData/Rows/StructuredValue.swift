internal import SeedModel

/// An element that is an array, a dictionary or a text inside of a Transformable.
final class StructuredValue {
  let name: String
  /// Whether elements of its name are the items of an array.
  let isArrayItem: Bool
  private var members: [(name: String, value: PropertyList, isArrayItem: Bool)] = []
  private var hasAttributes = false
  private var text: [UInt8] = []
  private var hasText = false

  init(name: String, isArrayItem: Bool) {
    self.name = name
    self.isArrayItem = isArrayItem
  }

  func add(attribute name: String, _ value: String) {
    hasAttributes = true
    members.append((name, .string(value), false))
  }

  func add(_ element: StructuredValue) {
    members.append((element.name, element.value, element.isArrayItem))
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
    let isList = !hasAttributes && members.allSatisfy { $0.name == first.name && !$0.isArrayItem }
    if isList { return .array(members.map(\.value)) }
    var result: [String: PropertyList] = [:]
    for name in Set(members.map(\.name)) {
      let own = members.filter { $0.name == name }
      result[name] =
        own.count > 1 || own[0].isArrayItem ? .array(own.map(\.value)) : own[0].value
    }
    return .dictionary(result)
  }

  /// Whether text stands among elements, of which nothing would be kept.
  var losesText: Bool { hasText && !members.isEmpty }
}
