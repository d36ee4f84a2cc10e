internal import SeedModel

/// Makes a value of a property list in XML.
enum XMLPropertyListTree {
  /// The value that the root element has.
  ///
  /// - Throws: ``InputError``, with the place of the element that is wrong.
  static func value(of root: XMLElement) throws -> PropertyList {
    guard root.name == "plist" else {
      throw failure(
        "the root element is \"\(root.name)\", where a property list has \"plist\"", root)
    }
    try checkText(of: root)
    guard let only = root.children.first, root.children.count == 1 else {
      throw failure(
        "the property list has \(root.children.isEmpty ? "no" : "a second") value", root)
    }
    return try value(only)
  }

  private static func value(_ element: XMLElement) throws -> PropertyList {
    switch element.name {
    case "dict": return try dictionary(element)
    case "array":
      try checkText(of: element)
      return .array(try element.children.map { try value($0) })
    default:
      guard let kind = PropertyListValue(elementName: element.name) else {
        throw failure("the element \"\(element.name)\" is none of a property list", element)
      }
      if let child = element.children.first {
        throw failure("the element \"\(child.name)\" stands inside a value", child)
      }
      guard let value = scalar(kind, element.text) else {
        throw failure(
          "\"\(element.text.prefix(40))\" is no value of \(kind.rawValue)", element,
          hint: kind.hint)
      }
      return value
    }
  }

  private static func dictionary(_ element: XMLElement) throws -> PropertyList {
    try checkText(of: element)
    var members: [String: PropertyList] = [:]
    var rest = element.children[...]
    while let key = rest.popFirst() {
      guard key.name == "key" else {
        throw failure("the element \"\(key.name)\" stands where a key is expected", key)
      }
      guard let member = rest.popFirst(), member.name != "key" else {
        throw failure("the key \"\(key.text)\" has no value", key)
      }
      guard members.updateValue(try value(member), forKey: key.text) == nil else {
        throw failure("the dictionary has the key \"\(key.text)\" already", key)
      }
    }
    return .dictionary(members)
  }

  private static func scalar(_ kind: PropertyListValue, _ text: String) -> PropertyList? {
    var batch = TokenBatch()
    defer { batch.deallocate() }
    if kind == .data { return data(text) }
    guard kind.append(Array(text.utf8), from: 0, to: &batch) else { return nil }
    let written = String(
      decoding: UnsafeBufferPointer(start: batch.bytes, count: batch.byteCount), as: UTF8.self)
    switch kind {
    case .string: return .string(text)
    case .true: return .boolean(true)
    case .false: return .boolean(false)
    case .integer: return Int64(written).map { .integer($0) }
    case .real: return Double(written).map { .real($0) }
    case .date: return PropertyListDate.secondsSince2001(written).map { .date($0) }
    case .data: return nil
    }
  }

  private static func data(_ text: String) -> PropertyList? {
    var bytes = text.utf8.filter { !XMLName.isBlank($0) }
    let count = bytes.withUnsafeMutableBufferPointer { buffer -> Int? in
      guard let base = buffer.baseAddress else { return 0 }
      return Base64.decode(base, count: buffer.count)
    }
    return count.map { .data(Array(bytes.prefix($0))) }
  }

  private static func checkText(of element: XMLElement) throws {
    guard element.text.utf8.allSatisfy(XMLName.isBlank) else {
      throw failure("text stands outside of a value", element)
    }
  }

  private static func failure(
    _ message: String, _ element: XMLElement, hint: String? = nil
  ) -> InputError {
    InputError(.malformed(message, hint: hint), at: element.location)
  }
}
