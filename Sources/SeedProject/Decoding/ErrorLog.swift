internal import SeedModel

/// Collects what is wrong with one file, so that one run tells all of it.
///
/// A class, since the readers of all parts of a file write to the same one.
final class ErrorLog {
  private(set) var errors: [ProjectError]
  private let text: SourceText

  init(_ text: SourceText, errors: [ProjectError]) {
    self.text = text
    self.errors = errors
  }

  /// Notes an error at a place of the file.
  func add(_ reason: ProjectError.Reason, at location: SourceLocation) {
    errors.append(ProjectError(reason, at: location, excerpt: text.excerpt(at: location)))
  }

  /// Notes that the value of a key is of the wrong type.
  func addType(of value: LocatedJSON, _ key: String, expected: String) {
    addType(of: value, subject: "\"\(key)\"", expected: expected)
  }

  /// Notes that a value is of the wrong type.
  ///
  /// - Parameters:
  ///   - value: What stands there.
  ///   - subject: What it is, for the message: a key in quotes or words.
  ///   - expected: What should stand there.
  func addType(of value: LocatedJSON, subject: String, expected: String) {
    add(
      .wrongType(
        subject, expected: expected, found: value.kindName,
        hint: ErrorLog.hint(for: value, expected: expected)),
      at: value.location)
  }

  /// What makes the right type of a value that is nearly there.
  private static func hint(for value: LocatedJSON, expected: String) -> String? {
    let isTextWanted = expected.hasPrefix("a string")
    switch value.value {
    case .null: return "leave the key out"
    case .bool where isTextWanted, .integer where isTextWanted, .number where isTextWanted:
      return "put it into double quotes"
    case .string("true") where expected.hasPrefix("true"),
      .string("false") where expected.hasPrefix("true"):
      return "write it without quotes"
    case .string(let text) where expected.hasPrefix("a whole number"):
      return Int64(text) == nil ? nil : "write it without quotes"
    default: return nil
    }
  }
}
