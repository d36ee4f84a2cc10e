/// An absolute `http` or `https` address without user, password and fragment.
///
/// Stricter than what servers put up with: a host is letters, digits, `.`, `-` and `_`, or an IPv6
/// address in brackets, so that no two parsers can differ about which host is meant.
package struct HTTPURL: Sendable, Hashable {
  /// The schemes that can be fetched.
  package enum Scheme: String, Sendable {
    case http, https

    /// The port where the address names none.
    package var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// Why a text is no address.
  package enum Problem: Error, Sendable, Hashable {
    case unsupportedScheme(String)
    case noScheme
    case noHost
    case badHost
    case badPort
    case controlCharacter
  }

  package var scheme: Scheme
  /// The host in lower case.
  package var host: String
  /// The port, the scheme's own where the address names none.
  package var port: Int
  /// The path, which starts with a slash, percent-encoded.
  package var path: String
  /// What follows the question mark, percent-encoded; nil without one.
  package var query: String?

  /// The address as it is sent.
  package var text: String {
    let place = port == scheme.defaultPort ? "" : ":\(port)"
    return "\(scheme.rawValue)://\(host)\(place)\(path)" + (query.map { "?\($0)" } ?? "")
  }

  /// The address without its query, which may hold what nobody else is to see.
  package var textWithoutQuery: String {
    var url = self
    url.query = nil
    return url.text
  }

  /// How a text that was given as an address is shown: without user, password and query, which may
  /// hold secrets also where the rest is no address.
  package static func shown(_ text: String) -> String {
    let start = text.prefix { $0 != "?" && $0 != "#" }
    return start.lastIndex(of: "@").map { "…" + start[$0...] } ?? String(start)
  }

  /// Whether a request to one address may carry what is meant for the other.
  package func hasSameOrigin(as other: HTTPURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// Whether a text is meant as such an address, well formed or not.
  package static func isAddress(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// Whether a text is meant as an address of any scheme, well formed or not, and not as a path.
  package static func isMeant(by text: String) -> Bool {
    let start = String(text.drop { $0 == " " })
    if start.hasPrefix("://") { return true }
    guard let end = schemeEnd(of: start) else { return false }
    return start[end...].hasPrefix("://") || Scheme(rawValue: start[..<end].lowercased()) != nil
  }

  /// Reads an address.
  ///
  /// Blanks and characters beyond ASCII in path and query are percent-encoded; a fragment is dropped.
  /// - Returns: The address, and its user and password as they are written, if it has any.
  /// - Throws: ``Problem``.
  package static func parse(
    _ text: String
  ) throws(Problem) -> (url: HTTPURL, userInformation: String?) {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw .controlCharacter
    }
    guard let schemeEnd = schemeEnd(of: text) else { throw .noScheme }
    let name = text[..<schemeEnd].lowercased()
    guard let scheme = Scheme(rawValue: name) else { throw .unsupportedScheme(name) }
    let rest = text[text.index(after: schemeEnd)...]
    guard rest.hasPrefix("//") else { throw .noHost }
    return try parse(scheme: scheme, afterSlashes: rest.dropFirst(2))
  }

  /// Reads an address whose user and password do not matter.
  ///
  /// - Throws: ``Problem``.
  package init(_ text: String) throws(Problem) {
    self = try Self.parse(text).url
  }

  /// An address from parts that are well formed.
  ///
  /// - Parameters:
  ///   - scheme: The scheme.
  ///   - host: The host in lower case.
  ///   - path: The path, which starts with a slash, percent-encoded.
  package init(scheme: Scheme, host: String, path: String) {
    self.init(scheme: scheme, host: host, port: scheme.defaultPort, path: path, query: nil)
  }

  internal init(scheme: Scheme, host: String, port: Int, path: String, query: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// Where the colon after a scheme stands; nil if the text does not start with one.
  internal static func schemeEnd(of text: String) -> String.Index? {
    guard let first = text.utf8.first, isLetter(first) else { return nil }
    let end = text.utf8.firstIndex { byte in
      !(isLetter(byte) || isDigit(byte) || [0x2B, 0x2D, 0x2E].contains(byte))
    }
    guard let end, text.utf8[end] == UInt8(ascii: ":") else { return nil }
    return end
  }

  /// Reads what follows `https://`.
  internal static func parse(
    scheme: Scheme, afterSlashes text: Substring
  ) throws(Problem) -> (url: HTTPURL, userInformation: String?) {
    let end = text.utf8.firstIndex { "/?#\\".utf8.contains($0) } ?? text.endIndex
    var authority = text[..<end]
    var user: String?
    if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      user = String(authority[..<at])
      authority = authority[authority.utf8.index(after: at)...]
    }
    let (host, port) = try hostAndPort(authority, scheme: scheme)
    let (path, query) = pathAndQuery(text[end...])
    let url = HTTPURL(
      scheme: scheme, host: host, port: port,
      path: removingDotSegments(path.hasPrefix("/") ? path : "/" + path), query: query)
    return (url, user)
  }

  private static func hostAndPort(
    _ authority: Substring, scheme: Scheme
  ) throws(Problem) -> (String, Int) {
    let colon: Substring.Index?
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else { throw .badHost }
      let rest = authority[authority.index(after: close)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { throw .badHost }
      colon = rest.isEmpty ? nil : rest.startIndex
    } else {
      colon = authority.firstIndex(of: ":")
    }
    let host = authority[..<(colon ?? authority.endIndex)].lowercased()
    guard !host.isEmpty else { throw .noHost }
    guard isHost(host) else { throw .badHost }
    // `example.com:` is allowed and means the port of the scheme.
    guard let colon, authority.index(after: colon) < authority.endIndex else {
      return (host, scheme.defaultPort)
    }
    let digits = authority[authority.index(after: colon)...]
    guard digits.utf8.allSatisfy(isDigit), let port = Int(digits), (1...65535).contains(port)
    else { throw .badPort }
    return (host, port)
  }

  private static func isHost(_ host: String) -> Bool {
    guard host.utf8.count <= 253 else { return false }
    if host.hasPrefix("[") {
      return host.utf8.dropFirst().dropLast().allSatisfy { byte in
        isDigit(byte) || (0x61...0x66).contains(byte) || byte == 0x3A || byte == 0x2E
      } && host.utf8.count > 3
    }
    return host.utf8.allSatisfy { byte in
      isLetter(byte) || isDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }
  }

  internal static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  internal static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
