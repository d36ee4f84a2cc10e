/// The secrets of a request and how its addresses are shown without them.
///
/// A server may repeat a secret in a redirect or in the address of a next page, so secrets are
/// looked for by value, also percent-encoded, in whatever is shown or stored.
package struct Redaction: Sendable, Hashable {
  /// What stands in the place of a secret.
  package static let mask = "***"
  /// A shorter secret would be found in innocent texts: it is masked as a whole value only.
  private static let shortest = 4

  private var secrets: [[UInt8]] = []
  /// Whether addresses are shown without their queries.
  private let hidesQueries: Bool
  /// The parts of the query that was asked for; nil where those of servers are shown, too.
  private var ownQuery: [String]?
  /// An address of the only server whose paths are shown; nil where all are.
  private var ownServer: HTTPURL?

  /// A redaction of some secrets; empty ones are passed over.
  ///
  /// - Parameters:
  ///   - secrets: The secrets.
  ///   - hidesQueries: Whether queries are left out of addresses, because nobody knows what in them is
  ///     a secret.
  ///   - ownQuery: The query that was asked for. With one, even an empty one, values that a server puts
  ///     into the query of a redirect or of a next page are shown as "…", except for short numbers: such
  ///     queries sign a request or hold a token, and nobody has named those as secrets.
  package init(
    _ secrets: some Sequence<String> = [], hidesQueries: Bool = false, ownQuery: String? = nil
  ) {
    self.hidesQueries = hidesQueries
    for secret in secrets where !secret.isEmpty {
      let forms = [secret, Percent.encode(secret), Percent.repair(secret[...])]
      self.secrets += Set(forms).map { Array($0.utf8) }
    }
    // A secret that contains another one is masked first.
    self.secrets.sort { $0.count > $1.count }
    self.ownQuery = ownQuery.map { Self.parts(of: masked($0, separators: "&=")) }
  }

  /// An address with each secret in its path and its query masked.
  package func shown(_ url: HTTPURL) -> String {
    var copy = withoutSecrets(url)
    if let ownServer, !url.hasSameOrigin(as: ownServer) {
      copy.path = Self.hidden(copy.path)
    }
    copy.query = hidesQueries ? nil : copy.query.map(withoutForeignValues)
    return copy.text
  }

  /// An address with each secret masked and all else as it is, for what is kept to be used again.
  package func withoutSecrets(_ url: HTTPURL) -> HTTPURL {
    guard !secrets.isEmpty else { return url }
    var copy = url
    copy.path = masked(url.path, separators: "/")
    copy.query = url.query.map { masked($0, separators: "&=") }
    return copy
  }

  /// A text with each secret masked, for what a server or a library says.
  package func shown(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "?"), hidesQueries || ownQuery != nil else {
      return withoutSecrets(text)
    }
    let start = withoutSecrets(String(text[..<mark]))
    if hidesQueries { return start }
    let query = masked(String(text[mark...].dropFirst()), separators: "&=")
    return "\(start)?\(withoutForeignValues(query))"
  }

  /// A text with each secret masked and all else as it is, for what is kept to be used again.
  package func withoutSecrets(_ text: String) -> String {
    secrets.isEmpty ? text : replacing(in: Array(text.utf8))
  }

  /// Hides the paths at other servers than that of an address, unless a server before was to be shown
  /// alone: a path may hold a token, too, and nobody has asked for these.
  package mutating func hidePaths(notOf url: HTTPURL) {
    if ownServer == nil { ownServer = url }
  }

  /// What a server calls an address and is none, without its path.
  package func shownWithoutPath(_ text: String) -> String {
    let shown = shown(text)
    guard let scheme = shown.firstRange(of: "://") else { return shown }
    let rest = shown[scheme.upperBound...]
    let path = rest.drop { $0 != "/" && $0 != "?" }
    let query = path.drop { $0 != "?" }
    return shown[..<path.startIndex] + Self.hidden(String(path[..<query.startIndex])) + query
  }

  private static func hidden(_ path: String) -> String {
    path.isEmpty || path == "/" ? path : "/…"
  }

  /// A query without the values that nobody but a server has put there.
  private func withoutForeignValues(_ query: String) -> String {
    guard let ownQuery else { return query }
    return Self.parts(of: query).map { part in
      guard !ownQuery.contains(part) else { return part }
      let sign = part.firstIndex(of: "=")
      let name = sign.map { String(part[...$0]) } ?? ""
      let value = part.dropFirst(name.count)
      return value == Self.mask || Self.isShortNumber(value) ? part : name + "…"
    }.joined(separator: "&")
  }

  private static func parts(of query: String) -> [String] {
    query.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether a value is likely the number of a page, or nothing.
  private static func isShortNumber(_ value: Substring) -> Bool {
    value.utf8.count < 10 && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whether an address is shown as it is.
  package func isClean(_ url: HTTPURL) -> Bool { shown(url) == url.text }

  /// Masks secrets anywhere, and short ones where they are all between two separators.
  private func masked(_ text: String, separators: String) -> String {
    var result: [UInt8] = []
    var piece: [UInt8] = []
    for byte in Array(text.utf8) + [0] {
      guard byte == 0 || separators.utf8.contains(byte) else {
        piece.append(byte)
        continue
      }
      let isSecret = secrets.contains { $0 == piece }
      result += isSecret ? Array(Self.mask.utf8) : Array(replacing(in: piece).utf8)
      if byte != 0 { result.append(byte) }
      piece = []
    }
    return replacing(in: result)
  }

  private func replacing(in bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      if let secret = secrets.first(where: { $0.count >= Self.shortest && rest.starts(with: $0) }) {
        result += Self.mask.utf8
        index += secret.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
