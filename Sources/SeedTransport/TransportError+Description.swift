extension TransportError: CustomStringConvertible {
  /// The address and what is wrong, on one line.
  package var description: String { "\(url): \(message)" }

  /// What is wrong, without the address.
  package var message: String {
    ownMessage + (redirectedTo.map { " (redirected to \"\($0)\")" } ?? "")
  }

  private var ownMessage: String {
    switch reason {
    case .unreachable(let detail): "the server cannot be reached\(Self.appendix(detail))"
    case .timedOut(.connecting): "the server cannot be reached in time"
    case .timedOut(.receiving): "the server has stopped answering, or sends too slowly"
    case .handshake(let detail): "no secure connection comes about\(Self.appendix(detail))"
    case .untrusted(let detail):
      "the server's certificate is not trusted\(Self.appendix(detail))"
    case .cut(let received, let expected):
      "the answer is cut off after \(received)\(expected.map { " of \($0)" } ?? "") bytes"
    case .status(let status, let retryAfter):
      "the server answers \(Self.text(of: status))\(Self.appendix(retryAfter))"
    case .redirectRefused(let refusal, let location): Self.message(refusal, location)
    case .tooLarge(let limit): "the answer is longer than \(limit) bytes"
    case .malformed(let detail): "the answer is malformed\(Self.appendix(detail))"
    case .encoded(let coding):
      "the answer comes in the coding \"\(coding)\", which was not asked for"
    case .changing: "the document changes while it is fetched"
    case .invalidURL(let problem): Self.message(problem)
    case .invalidHeader(let name): "the header \"\(name)\" cannot be sent"
    case .noLibrary: "libcurl cannot be loaded"
    case .cancelled: "the request was cancelled"
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch reason {
    case .unreachable, .timedOut(.connecting):
      "check the address and the network"
    case .timedOut(.receiving), .cut, .changing: "try again later"
    case .handshake: "check that the server speaks TLS at this port"
    case .untrusted:
      "if the server has a certificate of your own, name its issuer's in SSL_CERT_FILE"
    case .status(let status, _): Self.hint(for: status)
    case .redirectRefused(.insecure, _): "ask for the address that it names, if that is safe"
    case .redirectRefused: "check the address"
    case .tooLarge: "check the address"
    case .malformed: "check that the address is that of a web server"
    case .encoded: "have the server or the proxy before it send the file as it is"
    case .invalidURL: "write it as https://example.com/file.xml, in ASCII letters"
    case .invalidHeader: "write its value in one line, without control characters"
    case .noLibrary: "install libcurl 7.68 or newer (Debian and Ubuntu: libcurl4)"
    case .cancelled: nil
    }
  }

  private static func appendix(_ detail: String) -> String { detail.isEmpty ? "" : ": \(detail)" }

  /// What a server asks for, in whole units that are long enough to tell.
  private static func appendix(_ retryAfter: Duration?) -> String {
    guard let seconds = retryAfter?.components.seconds, seconds > 0 else { return "" }
    let units: [(Int64, String)] = [(86400, "days"), (3600, "hours"), (60, "minutes")]
    let second: (Int64, String) = (1, seconds == 1 ? "second" : "seconds")
    let (length, name) = units.first { seconds >= 2 * $0.0 } ?? second
    return " and asks to wait for \(seconds / length) \(name)"
  }

  private static func message(_ refusal: RedirectRefusal, _ location: String) -> String {
    switch refusal {
    case .insecure: "the server redirects to \"\(location)\", which is not secure"
    case .tooMany: "the server redirects too many times, at last to \"\(location)\""
    case .notAnAddress: "the server redirects to \"\(location)\", which is no address"
    case .noLocation: "the server redirects (\(location)) and does not say where to"
    }
  }

  private static func message(_ problem: HTTPURL.Problem) -> String {
    switch problem {
    case .unsupportedScheme(let scheme):
      "addresses that begin with \"\(scheme):\" cannot be fetched"
    case .noScheme: "the address does not begin with \"https://\""
    case .noHost: "the address names no host"
    case .badHost: "the address does not name a host in a valid way"
    case .badPort: "the port in the address is no number from 1 to 65535"
    case .controlCharacter: "the address contains a control character"
    }
  }

  /// `404 (not found)`.
  private static func text(of status: Int) -> String {
    names[status].map { "\(status) (\($0))" } ?? "\(status)"
  }

  private static let names = [
    400: "bad request", 401: "unauthorized", 403: "forbidden", 404: "not found",
    405: "method not allowed", 406: "not acceptable", 408: "request timeout", 410: "gone",
    416: "range not satisfiable", 429: "too many requests", 500: "internal server error",
    501: "not implemented", 502: "bad gateway", 503: "service unavailable", 504: "gateway timeout",
  ]

  private static func hint(for status: Int) -> String {
    switch status {
    case 401, 403: "check the credentials, which come from environment variables"
    case 404, 410: "check the address"
    case 429, 500...: "try again later"
    default: "check the address and the headers"
    }
  }
}
