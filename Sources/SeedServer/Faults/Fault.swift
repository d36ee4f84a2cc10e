/// What goes wrong with one answer.
package struct Fault: Sendable, Hashable {
  /// How an answer breaks off.
  package enum Ending: Sendable, Hashable {
    /// The connection ends in order.
    case drop
    /// The connection is reset; what the client has not read yet may be lost.
    case reset
    /// Nothing more comes, and the connection stays open.
    case stall
  }

  /// How long the answer takes to begin.
  package var delay: Duration?
  /// The status that is answered in place of the right answer.
  package var status: Int?
  /// What such an answer asks for in `Retry-After`.
  package var retryAfterSeconds: Int64?
  /// How the answer breaks off, if it is longer than ``byteCount``.
  package var ending: Ending?
  /// The bytes of the body that the client gets.
  package var byteCount: Int64 = 0

  /// Nothing goes wrong.
  package init() {}
}

extension Fault {
  /// The answer in place of the right one; nil if that is given.
  internal var answer: ServerAnswer? {
    guard let status else { return nil }
    var headers: [(name: String, value: String)] = []
    if let retryAfterSeconds { headers.append(("Retry-After", String(retryAfterSeconds))) }
    if status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
    return .problem(
      status, title: "Asked for", detail: "the server was told to answer so", headers: headers)
  }
}

extension Fault: CustomStringConvertible {
  /// The fault as a plan names it.
  package var description: String {
    var parts: [String] = []
    if let delay {
      let (seconds, rest) = delay.components
      parts.append("delay=\(seconds * 1000 + rest / 1_000_000_000_000_000)")
    }
    if let status { parts.append("status=\(status)") }
    if let retryAfterSeconds { parts.append("retry-after=\(retryAfterSeconds)") }
    switch ending {
    case .drop: parts.append("drop=\(byteCount)")
    case .reset: parts.append("reset=\(byteCount)")
    case .stall: parts.append("stall=\(byteCount)")
    case nil: break
    }
    return parts.isEmpty ? "none" : parts.joined(separator: "+")
  }
}
