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
    case .wrongType(let subject, let expected, let found, _):
      "\(subject) is \(found), not \(expected)"
    case .unknownKey(let name, let kind): "unknown key \"\(name)\" in \(kind.title)"
    case .missingKey(let name, let kind): "\(kind.title) lacks \"\(name)\""
    case .missingOrigin: "a source lacks \"file\", \"url\" or \"hyperhive\""
    case .conflictingKeys(let first, let second, _):
      "\"\(first)\" and \"\(second)\" contradict each other"
    case .missingCompanion(let key, let other): "\"\(key)\" needs \"\(other)\" beside it"
    case .unusableValue(let text, let key, _): "\(text) cannot be the value of \"\(key)\""
    case .sameTables(let name, let other):
      "the resource \"\(name)\" fills the same tables as that at "
        + (other.map { "\($0.file):\($0.line):\($0.column)" } ?? "another place")
    case .unsupported(let what): "this version of seed does not build \(what) yet"
    case .syntax(let reason): reason.message
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch reason {
    case .missing: "check the path, or write a first one with \"seed init\""
    case .isDirectory: "name the project file in it"
    case .unreadable(let error): error.hint
    case .tooLarge: "put the data into sources of their own"
    case .unknownKey(let name, let kind): ProjectError.hint(for: name, in: kind)
    case .missingKey("sources", _): "add \"sources\": [ { \"file\": \"Events.xml\" } ]"
    case .missingKey(let key, _): "add \"\(key)\": …"
    case .missingCompanion(let key, let other): "add \"\(other)\": …, or leave \"\(key)\" out"
    case .missingOrigin: "say where the data comes from"
    case .conflictingKeys(_, _, let hint): hint ?? "keep one of them"
    case .wrongType(_, _, _, let hint): hint
    case .unusableValue(_, _, let hint): hint
    case .sameTables:
      "leave one of the two out, or name tables after different parameters: with \"withCache\": true"
    case .unsupported: "leave it out, or use a newer version"
    case .syntax(.empty):
      "write at least { \"sources\": [ { \"file\": \"…\" } ] }, or run \"seed init\""
    case .syntax(let reason): reason.hint
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

  /// The error as a diagnostic to print.
  package var diagnostic: Diagnostic {
    Diagnostic(.error, description, at: location, excerpt: excerpt, hint: hint)
  }
}
