/// Markup that cannot be broken by the texts in it.
///
/// What stands in a literal is markup; every text that is interpolated is escaped, so that forgetting
/// to do so is not possible: `"<td>\(name)</td>" as HTML`.
struct HTML: ExpressibleByStringInterpolation, Sendable, Hashable {
  /// The markup.
  private(set) var text: String

  init() {
    text = ""
  }

  /// A text of several lines, escaped but for its line breaks and tabs.
  init(lines text: String) {
    self.text = HTMLText.escapedLines(text)
  }

  init(stringLiteral literal: String) {
    text = literal
  }

  init(stringInterpolation interpolation: StringInterpolation) {
    text = interpolation.text
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity)
    }

    mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    mutating func appendInterpolation(_ text: String) {
      self.text += HTMLText.escaped(text)
    }

    mutating func appendInterpolation(_ markup: HTML) {
      text += markup.text
    }

    mutating func appendInterpolation(_ number: Int) {
      text += String(number)
    }
  }

  static func += (markup: inout HTML, more: HTML) {
    markup.text += more.text
  }

  static func + (first: HTML, second: HTML) -> HTML {
    var markup = first
    markup += second
    return markup
  }
}

extension Sequence<HTML> {
  /// The pieces one after the other.
  func joined(separator: HTML = "") -> HTML {
    var markup = HTML()
    for (index, piece) in enumerated() {
      if index > 0 { markup += separator }
      markup += piece
    }
    return markup
  }
}
