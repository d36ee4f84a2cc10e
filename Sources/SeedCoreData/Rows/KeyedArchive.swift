internal import SeedModel

/// What `NSKeyedArchiver` writes of a string, a number, an array or a dictionary: the data of a
/// Transformable with the secure default transformer.
///
/// The layout is that of stored archives: `$objects` in the order in which they are met, an object
/// before what is in it, its class after that.
struct KeyedArchive {
  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [String: UInt64] = [:]
  private var root: UInt64 = 0

  init(_ value: PropertyList) {
    root = add(value)
  }

  /// The archive as a binary property list.
  var bytes: [UInt8] {
    PropertyList.dictionary([
      "$version": .integer(100_000),
      "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": .identifier(root)]),
      "$objects": .array(objects),
    ]).binary
  }

  private mutating func add(_ value: PropertyList) -> UInt64 {
    switch value {
    case .array(let elements):
      let number = reserve()
      let inside = elements.map { PropertyList.identifier(add($0)) }
      objects[Int(number)] = .dictionary([
        "NS.objects": .array(inside),
        "$class": .identifier(addClass("NSArray")),
      ])
      return number
    case .dictionary(let members):
      let number = reserve()
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map {
        PropertyList.identifier(add(.string($0.key)))
      }
      let inside = sorted.map {
        PropertyList.identifier(add($0.value))
      }
      objects[Int(number)] = .dictionary([
        "NS.keys": .array(keys), "NS.objects": .array(inside),
        "$class": .identifier(addClass("NSDictionary")),
      ])
      return number
    default:
      let number = reserve()
      objects[Int(number)] = value
      return number
    }
  }

  private mutating func addClass(_ name: String) -> UInt64 {
    if let known = classes[name] { return known }
    let number = reserve()
    objects[Int(number)] = .dictionary([
      "$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")]),
    ])
    classes[name] = number
    return number
  }

  private mutating func reserve() -> UInt64 {
    objects.append(.string("$null"))
    return UInt64(objects.count - 1)
  }
}

extension PropertyList {
  /// The same value as a property list; nil when it is null or has null in an array, of which lists
  /// have no like.
  ///
  /// A member that is null is none, as in data.
  init?(_ value: JSONValue) {
    switch value {
    case .null: return nil
    case .bool(let isTrue): self = .boolean(isTrue)
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .real(number)
    case .string(let text): self = .string(text)
    case .array(let elements):
      let values = elements.compactMap { PropertyList($0) }
      guard values.count == elements.count else { return nil }
      self = .array(values)
    case .object(let members):
      var values: [String: PropertyList] = [:]
      for member in members where member.value != .null {
        guard let value = PropertyList(member.value) else { return nil }
        values[member.name] = value
      }
      self = .dictionary(values)
    }
  }
}
