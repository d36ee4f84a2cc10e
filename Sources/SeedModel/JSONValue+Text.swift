extension JSONValue {
  /// The document as indented text with a line break at its end.
  ///
  /// Empty arrays and objects take one line. Control characters and the separators U+2028 and
  /// U+2029 are escaped, so that the text is safe to show in a terminal and to paste in JavaScript.
  package var text: String {
    var text = ""
    write(to: &text, depth: 0)
    text += "\n"
    return text
  }

  private func write(to text: inout String, depth: Int) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? value.description : "null"
    case .string(let value): Self.writeString(value, to: &text)
    case .array(let elements):
      Self.writeList(elements, between: ("[", "]"), to: &text, depth: depth) { element, text in
        element.write(to: &text, depth: depth + 1)
      }
    case .object(let members):
      Self.writeList(members, between: ("{", "}"), to: &text, depth: depth) { member, text in
        Self.writeString(member.name, to: &text)
        text += ": "
        member.value.write(to: &text, depth: depth + 1)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], between brackets: (String, String), to text: inout String, depth: Int,
    write: (Element, inout String) -> Void
  ) {
    text += brackets.0
    let indentation = "\n" + String(repeating: "  ", count: depth)
    for (index, element) in elements.enumerated() {
      text += index == 0 ? indentation : "," + indentation
      text += "  "
      write(element, &text)
    }
    if !elements.isEmpty { text += indentation }
    text += brackets.1
  }

  private static func writeString(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
