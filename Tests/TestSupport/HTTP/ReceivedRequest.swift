/// A request as a server received it.
package struct ReceivedRequest: Sendable {
  package var method: String
  /// The path with the query.
  package var target: String
  /// Names in lower case with their values.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// The value of a header by its name in lower case.
  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The first byte of the rest that is asked for; nil where the whole is.
  package var rangeStart: Int? {
    guard let range = self["range"], range.hasPrefix("bytes="), range.hasSuffix("-") else {
      return nil
    }
    return Int(range.dropFirst(6).dropLast())
  }

  /// All of the request as text, to look for what must not be in it.
  package var text: String {
    "\(method) \(target)\n" + headers.map { "\($0.name): \($0.value)\n" }.joined()
      + String(decoding: body, as: UTF8.self)
  }
}
