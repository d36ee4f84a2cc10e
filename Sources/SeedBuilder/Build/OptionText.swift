internal import SeedModel

/// A type of options of which not everything decides the bytes of the output as it stands.
protocol PartlyDeciding {
  /// For some properties by name: a text that takes the place of the value, or nil when the
  /// property decides nothing. All others count with their value.
  var decidingTexts: [String: String?] { get }
}

/// Writes options as text, equal for options that give the same bytes.
///
/// Goes through all stored properties by reflection: a new one counts without further ado, and the
/// worst that can be forgotten is that one need not count, which costs a build too many and never
/// leaves an old output in place. Where a rule stands in a project file never counts.
struct OptionText {
  private var text = ""

  /// The text of a value.
  static func text(of value: Any) -> String {
    var writer = OptionText()
    writer.write(value)
    return writer.text
  }

  private mutating func write(_ value: Any) {
    let mirror = Mirror(reflecting: value)
    switch (value, mirror.displayStyle) {
    case (let string as String, _):
      // With its length, so that no text can look like what follows it.
      text += "\(string.utf8.count):\(string)"
    case (_, .optional):
      text += mirror.children.isEmpty ? "-" : "+"
      for child in mirror.children { write(child.value) }
    case (_, .collection): writeList(mirror.children.map { Self.text(of: $0.value) })
    case (_, .set), (_, .dictionary):
      writeList(mirror.children.map { Self.text(of: $0.value) }.sorted())
    case (_, .struct), (_, .tuple): writeProperties(of: value, mirror)
    case (_, .enum):
      guard let payload = mirror.children.first else { fallthrough }
      text += "\(payload.label ?? "")("
      write(payload.value)
      text += ")"
    default: text += "\(value)"
    }
    text += ";"
  }

  private mutating func writeList(_ texts: [String]) {
    text += "[\(texts.count):" + texts.joined() + "]"
  }

  private mutating func writeProperties(of value: Any, _ mirror: Mirror) {
    let texts = (value as? any PartlyDeciding)?.decidingTexts ?? [:]
    // A number or a truth value has no properties.
    guard !mirror.children.isEmpty else {
      text += "\(value)"
      return
    }
    text += "("
    for child in mirror.children where !(type(of: child.value) == SourceLocation?.self) {
      let label = child.label ?? ""
      if let replacement = texts[label] {
        guard let replacement else { continue }
        text += "\(label)="
        write(replacement)
      } else {
        text += "\(label)="
        write(child.value)
      }
    }
    text += ")"
  }
}
