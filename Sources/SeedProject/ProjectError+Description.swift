internal import SeedFiles
package import SeedModel

extension ProjectError: CustomStringConvertible {
  /// The message: present tense, lower case, no full stop.
  package var description: String {
    switch reason {
    case .missing: "no such file"
    case .isDirectory: "this is a directory, not a file"
    case .unreadable(let error): "cannot \(error.operation.rawValue): \(error.reason)"
    case .tooLarge: "the file is larger than \(ProjectFile.byteLimit >> 20) MiB"
    case .notUTF8(nil): "the file is not in UTF-8"
    case .notUTF8(let byte?): "the byte 0x\(ProjectError.hexadecimal(byte)) is not valid UTF-8 here"
    case .duplicateKey(let name, let line): "\"\(name)\" stands twice, first in line \(line)"
    case .wrongType(let subject, let expected, let found, _):
      "\(subject) is \(found), not \(expected)"
    case .unknownKey(let name, let kind): "unknown key \"\(name)\" in \(kind.title)"
    case .missingKey(let name, let kind): "\(kind.title) lacks \"\(name)\""
    case .missingOrigin: "a source lacks \"file\", \"url\" or \"hyperhive\""
    case .conflictingKeys(let first, let second, _):
      "\"\(first)\" and \"\(second)\" contradict each other"
    case .missingCompanion(let key, let other): "\"\(key)\" needs \"\(other)\" beside it"
    case .unusableValue(let text, let key, _): "\(text) cannot be the value of \"\(key)\""
    case .unsupported(let what): "this version of seed does not build \(what) yet"
    default: syntaxDescription
    }
  }

  private var syntaxDescription: String {
    switch reason {
    case .empty: "the file is empty"
    case .comment: "a comment, which JSON does not have"
    case .unexpected(let found, let expected): "found \(found) in place of \(expected)"
    case .trailingComma: "a comma with nothing behind it"
    case .unclosed(let what): "\(what) is not closed"
    case .otherQuote: "this is not the quote that JSON uses"
    case .bareName(let name): "the name \"\(name)\" is not in quotes"
    case .unknownWord(let word, _): "the word \"\(word)\" is no value"
    case .malformedNumber(let text): "\"\(text)\" is no number of JSON"
    case .hugeNumber(let text): "the number \(text) is too large to be kept exactly"
    case .controlCharacter: "a control character in a string"
    case .unknownEscape(let text): "\"\(text)\" is no escape of JSON"
    case .loneSurrogate: "half a surrogate pair, which is no character"
    case .tooDeep: "arrays and objects are nested more than \(LocatedJSONParser.depthLimit) deep"
    default: "the file is wrong"
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch reason {
    case .missing: "check the path, or write a first one with \"seed init\""
    case .isDirectory: "name the project file in it"
    case .unreadable(let error): error.hint
    case .tooLarge: "put the data into sources of their own"
    case .notUTF8: "save the file as UTF-8"
    case .duplicateKey: "remove one of them"
    case .unknownKey(let name, let kind): ProjectError.hint(for: name, in: kind)
    case .missingKey(let key, _): "add \"\(key)\": …"
    case .missingCompanion(let key, let other): "add \"\(other)\": …, or leave \"\(key)\" out"
    case .missingOrigin: "say where the data comes from"
    case .conflictingKeys(_, _, let hint): hint ?? "keep one of them"
    case .wrongType(_, _, _, let hint): hint
    case .unusableValue(_, _, let hint): hint
    case .unsupported: "leave it out, or use a newer version"
    default: syntaxHint
    }
  }

  private var syntaxHint: String? {
    switch reason {
    case .empty: "write at least { \"sources\": [ { \"file\": \"…\" } ] }, or run \"seed init\""
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
    case .controlCharacter(let scalar): ProjectError.escapeHint(for: scalar)
    case .unknownEscape: "write \\\\ for a backslash"
    case .loneSurrogate: "write the character itself, or both halves of its escape"
    default: nil
    }
  }

  private static func hint(for name: String, in kind: ObjectKind) -> String {
    if kind == .pragmas, let key = kind.substitutes[name] {
      return "use the key \"\(key)\" of the project instead"
    }
    if let nearest = Suggestion.nearest(to: name, in: kind.keys) {
      return "did you mean \"\(nearest)\"?"
    }
    return "known are " + kind.keys.filter { $0 != "$schema" }.joined(separator: ", ")
  }

  private static func escapeHint(for scalar: Unicode.Scalar) -> String {
    scalar == "\t"
      ? "write \\t" : "write \\u00\(hexadecimal(UInt8(truncatingIfNeeded: scalar.value)))"
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// The error as a diagnostic to print.
  package var diagnostic: Diagnostic {
    Diagnostic(.error, description, at: location, excerpt: excerpt, hint: hint)
  }
}
