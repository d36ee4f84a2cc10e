internal import SeedModel

/// Lays JSON out for people: what holds nothing but plain values stands on one line if it fits.
enum ProjectText {
  private static let width = 100

  /// The document with a line break at its end.
  static func text(of value: JSONValue) -> String {
    var text = ""
    write(value, to: &text, indentation: 0, used: 0)
    return text + "\n"
  }

  private static func write(
    _ value: JSONValue, to text: inout String, indentation: Int, used: Int
  ) {
    let line = line(value)
    if isFlat(value), used + line.count <= width || isPlain(value) {
      text += line
      return
    }
    let margin = "\n" + String(repeating: " ", count: indentation + 2)
    let (brackets, parts) = parts(of: value)
    text += brackets.0
    for (index, part) in parts.enumerated() {
      text += index == 0 ? margin : "," + margin
      let name = part.name.map { plain(.string($0)) + ": " } ?? ""
      text += name
      // A comma may follow.
      let used = indentation + 3 + name.count
      write(part.value, to: &text, indentation: indentation + 2, used: used)
    }
    text += "\n" + String(repeating: " ", count: indentation) + brackets.1
  }

  private static func parts(
    of value: JSONValue
  ) -> (brackets: (String, String), parts: [(name: String?, value: JSONValue)]) {
    switch value {
    case .array(let elements): (("[", "]"), elements.map { (nil, $0) })
    case .object(let members): (("{", "}"), members.map { ($0.name, $0.value) })
    default: (("", ""), [])
    }
  }

  private static func isPlain(_ value: JSONValue) -> Bool { parts(of: value).parts.isEmpty }

  private static func isFlat(_ value: JSONValue) -> Bool {
    parts(of: value).parts.allSatisfy { isPlain($0.value) }
  }

  /// A flat value on one line: `{ "a": 1 }`, `["a", "b"]`.
  private static func line(_ value: JSONValue) -> String {
    let (brackets, parts) = parts(of: value)
    guard !parts.isEmpty else { return plain(value) }
    let list = parts.map { part in
      (part.name.map { plain(.string($0)) + ": " } ?? "") + line(part.value)
    }.joined(separator: ", ")
    let blank = brackets.0 == "{" ? " " : ""
    return brackets.0 + blank + list + blank + brackets.1
  }

  private static func plain(_ value: JSONValue) -> String { String(value.text.dropLast()) }
}
