extension JSONError: CustomStringConvertible {
  /// What is wrong, and where in the text.
  package var description: String {
    location.line > 0
      ? "\(reason.message) in line \(location.line), column \(location.column)" : reason.message
  }
}

extension JSONError.Reason {
  /// The message: present tense, lower case, no full stop.
  package var message: String {
    switch self {
    case .notUTF8(nil): "the file is not in UTF-8"
    case .notUTF8(let byte?):
      "the byte 0x\(JSONError.Reason.hexadecimal(byte)) is not valid UTF-8 here"
    case .empty: "the file is empty"
    case .comment: "a comment, which JSON does not have"
    case .unexpected(let found, let expected): "found \(found) in place of \(expected)"
    case .trailingComma: "a comma with nothing behind it"
    case .unclosed(let what): "\(what) is not closed"
    case .otherQuote: "this is not the quote that JSON uses"
    case .bareName(let name): "the name \"\(Self.shown(name))\" is not in quotes"
    case .unknownWord(let word, _): "the word \"\(Self.shown(word))\" is no value"
    case .malformedNumber(let text): "\"\(Self.shown(text))\" is no number of JSON"
    case .hugeNumber(let text): "the number \(Self.shown(text)) is too large to be kept exactly"
    case .controlCharacter: "a control character in a string"
    case .unknownEscape(let text): "\"\(Self.shown(text))\" is no escape of JSON"
    case .loneSurrogate: "half a surrogate pair, which is no character"
    case .tooDeep(let limit): "arrays and objects are nested more than \(limit) deep"
    case .duplicateKey(let name, let line):
      "\"\(Self.shown(name))\" stands twice, first in line \(line)"
    case .meaning(let message): message
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch self {
    case .notUTF8: "save the file as UTF-8"
    case .comment: "remove it"
    case .unexpected("a string", let expected) where expected.hasPrefix("a comma"):
      "put a comma before it"
    case .trailingComma: "remove the comma"
    case .unclosed(let what):
      what == "a string"
        ? "end it with a quote on its line; a line break in it is written \\n"
        : "add the closing bracket"
    case .otherQuote: "use the plain double quote \""
    case .bareName(let name): "write \"\(name)\" with double quotes"
    case .unknownWord(_, let meant?): "write \(meant)"
    case .unknownWord(_, nil): "put text into double quotes"
    case .malformedNumber: "write it like 12 or -0.5, or put it into double quotes to be text"
    case .hugeNumber: "put it into double quotes to be text"
    case .controlCharacter(let scalar): JSONError.Reason.escapeHint(for: scalar)
    case .unknownEscape: "write \\\\ for a backslash"
    case .loneSurrogate: "write the character itself, or both halves of its escape"
    case .duplicateKey: "remove one of them"
    case .empty, .unexpected, .tooDeep, .meaning: nil
    }
  }

  /// The most characters of a text that an error shows.
  private static let shownCount = 80

  /// A text of the document in an error, cut where it is long.
  private static func shown(_ text: String) -> String {
    text.unicodeScalars.count <= shownCount
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(shownCount))) + "…"
  }

  private static func escapeHint(for scalar: Unicode.Scalar) -> String {
    scalar == "\t"
      ? "write \\t" : "write \\u00\(hexadecimal(UInt8(truncatingIfNeeded: scalar.value)))"
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
