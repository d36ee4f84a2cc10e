/// The value of a header or of a part of the query: text, and what variables of the environment hold.
///
/// Secrets are named, not written: what a variable holds is sent and never shown or stored.
package struct FetchValue: Sendable, Hashable {
  /// A piece of a value.
  package enum Part: Sendable, Hashable {
    case literal(String)
    /// What the environment variable of a name holds.
    case environment(String)
  }

  package var parts: [Part]

  /// A value from its parts.
  package init(_ parts: [Part]) {
    self.parts = parts
  }

  /// A text that is no secret.
  package static func literal(_ text: String) -> FetchValue { FetchValue([.literal(text)]) }

  /// What a variable holds: `{ "env": "NAME" }` in `seed.json`.
  package static func environment(_ name: String) -> FetchValue { FetchValue([.environment(name)]) }

  /// Reads a text in which `$NAME` and `${NAME}` stand for variables, and `$$` for a dollar sign.
  package init(template: String) {
    parts = []
    var rest = template[...]
    while let dollar = rest.firstIndex(of: "$") {
      append(rest[..<dollar])
      rest = rest[rest.index(after: dollar)...]
      if rest.hasPrefix("$") {
        append("$")
        rest.removeFirst()
      } else if rest.hasPrefix("{"), let close = rest.firstIndex(of: "}") {
        parts.append(.environment(String(rest[rest.index(after: rest.startIndex)..<close])))
        rest = rest[rest.index(after: close)...]
      } else {
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        if name.isEmpty { append("$") } else { parts.append(.environment(String(name))) }
        rest = rest[name.endIndex...]
      }
    }
    append(rest)
  }

  /// The text that ``init(template:)`` reads as this value.
  package var template: String {
    parts.map { part in
      switch part {
      case .literal(let text): text.replacing("$", with: "$$")
      case .environment(let name): "${\(name)}"
      }
    }.joined()
  }

  private mutating func append(_ text: Substring) {
    guard !text.isEmpty else { return }
    if case .literal(let before)? = parts.last {
      parts[parts.count - 1] = .literal(before + text)
    } else {
      parts.append(.literal(String(text)))
    }
  }

  /// Whether a part of it comes from the environment.
  internal var isSecret: Bool {
    parts.contains { if case .environment = $0 { true } else { false } }
  }

  /// The value with the variables' contents.
  ///
  /// - Parameter environment: What a variable holds; nil if it is not set.
  /// - Returns: The value.
  /// - Throws: ``FetchError`` for a variable that is not set or empty.
  package func resolved(
    _ environment: (String) -> String?
  ) throws(FetchError) -> String {
    var secrets: [String] = []
    return try resolved(environment, secrets: &secrets)
  }

  /// The value with the variables' contents, which are added to the secrets.
  ///
  /// - Throws: ``FetchError`` for a variable that is not set or empty.
  internal func resolved(
    _ environment: (String) -> String?, secrets: inout [String]
  ) throws(FetchError) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .environment(let name):
        guard let value = environment(name), !value.isEmpty else {
          throw FetchError(.missingVariable(name), place: "")
        }
        secrets.append(value)
        text += value
      }
    }
    return text
  }
}
