/// What is wrong with a document that is scanned, and at which byte.
internal struct JSONProblem: Error, Sendable, Equatable {
  internal enum Reason: Sendable, Equatable {
    /// The document ends inside of itself.
    case endsEarly
    /// Something stands where another thing must.
    case unexpected(found: String, expected: String)
    case malformedNumber
    /// An integer beyond 64 bits, or a number beyond a double.
    case hugeNumber
    case controlCharacter
    case unknownEscape
    case loneSurrogate
    case notUTF8
    case tooDeep
    /// A value that is no value of its column, with what the column takes.
    case mismatch(found: String, expected: String)
    /// A row or a value of more bytes than are read at once.
    case tooLong(Int)
    case textBehind
  }

  internal var reason: Reason
  /// The byte, counted from 0.
  internal var offset: Int64

  internal init(_ reason: Reason, at offset: Int64) {
    self.reason = reason
    self.offset = offset
  }

  /// What is wrong, in words.
  internal var message: String {
    switch reason {
    case .endsEarly: "the document ends early"
    case .unexpected(let found, let expected): "found \(found) in place of \(expected)"
    case .malformedNumber: "a number that JSON does not have"
    case .hugeNumber: "a number that is too large to be kept exactly"
    case .controlCharacter: "a control character in a string"
    case .unknownEscape: "an escape that JSON does not have"
    case .loneSurrogate: "half a surrogate pair, which is no character"
    case .notUTF8: "bytes that are not UTF-8"
    case .tooDeep: "arrays and objects are nested too deep"
    case .mismatch(let found, let expected): "\(found) where \(expected) is declared"
    case .tooLong(let limit): "a row is longer than \(limit) bytes"
    case .textBehind: "there is something behind the document"
    }
  }
}
