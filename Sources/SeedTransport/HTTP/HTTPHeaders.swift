/// One header: its name, which is compared without regard to case, and its value.
package struct HTTPField: Sendable, Hashable {
  package var name: String
  package var value: String
  /// Whether the value came from a secret; it is then never shown, stored or given to another host.
  package var isSecret: Bool

  /// Creates a header.
  package init(_ name: String, _ value: String, isSecret: Bool = false) {
    self.name = name
    self.value = value
    self.isSecret = isSecret
  }

  /// Headers that carry credentials, whoever set them.
  private static let credentials: Set<String> = [
    "authorization", "cookie", "cookie2", "proxy-authorization",
  ]

  /// Whether the header stays with the host that it was meant for.
  package var isConfidential: Bool { isSecret || Self.credentials.contains(name.lowercased()) }

  /// Whether the header can be sent: its name is a token and its value one line (RFC 9110, 5.5).
  package var isValid: Bool {
    let isToken = { (byte: UInt8) in
      HTTPURL.isLetter(byte) || HTTPURL.isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
    return !name.isEmpty && name.utf8.allSatisfy(isToken)
      && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }
}

/// The headers of a request or an answer, in their order.
package struct HTTPHeaders: Sendable, Hashable {
  package private(set) var fields: [HTTPField]

  /// Headers in the order given.
  package init(_ fields: [HTTPField] = []) {
    self.fields = fields
  }

  /// The value of the first header of a name; nil if there is none.
  ///
  /// Setting it replaces all of them.
  package subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      remove(name)
      if let newValue { fields.append(HTTPField(name, newValue)) }
    }
  }

  /// The values of all headers of a name.
  package func values(of name: String) -> [String] {
    fields.filter { Self.isSame($0.name, name) }.map(\.value)
  }

  /// Adds a header, also beside one of the same name.
  package mutating func append(_ field: HTTPField) {
    fields.append(field)
  }

  /// Takes away all headers of a name.
  package mutating func remove(_ name: String) {
    fields.removeAll { Self.isSame($0.name, name) }
  }

  /// Takes away what must not go to another host.
  package mutating func removeConfidential() {
    fields.removeAll(where: \.isConfidential)
  }

  private static func isSame(_ first: String, _ second: String) -> Bool {
    first.utf8.count == second.utf8.count && first.lowercased() == second.lowercased()
  }
}
