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

  /// A redaction of some secrets; empty ones are passed over.
  ///
  /// - Parameters:
  ///   - secrets: The secrets.
  ///   - hidesQueries: Whether queries are left out of addresses, because nobody knows what in them is
  ///     a secret.
  package init(_ secrets: some Sequence<String> = [], hidesQueries: Bool = false) {
    self.hidesQueries = hidesQueries
    for secret in secrets where !secret.isEmpty {
      let forms = [secret, Percent.encode(secret), Percent.repair(secret[...])]
      self.secrets += Set(forms).map { Array($0.utf8) }
    }
    // A secret that contains another one is masked first.
    self.secrets.sort { $0.count > $1.count }
  }

  /// An address with each secret in its path and its query masked.
  package func shown(_ url: HTTPURL) -> String {
    guard !secrets.isEmpty || hidesQueries else { return url.text }
    var copy = url
    if hidesQueries { copy.query = nil }
    copy.path = masked(url.path, separators: "/")
    copy.query = copy.query.map { masked($0, separators: "&=") }
    return copy.text
  }

  /// A text with each secret masked, for what a server or a library says.
  package func shown(_ text: String) -> String {
    let text = hidesQueries ? String(text.prefix { $0 != "?" }) : text
    return secrets.isEmpty ? text : replacing(in: Array(text.utf8))
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
