/// What a client asks, as far as it matters to the answers.
package struct ServerRequest: Sendable {
  /// The method as it was sent.
  package var method: String
  /// The target of the request line as it was sent.
  package var target: String
  /// The headers of ``headerNames`` that the request has, by name in lower case.
  package var headers: [String: String]

  /// The headers that are looked at.
  package static let headerNames = [
    "range", "if-range", "if-none-match", "authorization", "host",
  ]

  /// A request from its parts.
  package init(method: String, target: String, headers: [String: String] = [:]) {
    self.method = method
    self.target = target
    self.headers = headers
  }
}
