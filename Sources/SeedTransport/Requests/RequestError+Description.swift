extension RequestError: CustomStringConvertible {
  /// The address and what is wrong, on one line.
  public var description: String { "\(url): \(message)" }

  /// What is wrong, without the address.
  public var message: String {
    switch reason {
    case .offline(let detail): "the server cannot be reached\(Self.appendix(detail))"
    case .timedOut: "the server takes too long"
    case .insecure(let detail): "no secure connection comes about\(Self.appendix(detail))"
    case .interrupted(let count): "the answer is cut off after \(count) bytes"
    case .status(let status, let message):
      "the server answers with status \(status)\(Self.appendix(message ?? ""))"
    case .refused(let message?): "the server says: \(message)"
    case .refused(nil): "the server says that it failed, and not why"
    case .decoding("", let detail): "the answer is not what was asked for: \(detail)"
    case .decoding(let path, let detail):
      "the answer is not what was asked for: \(detail) at \(path)"
    case .notJSON(let offset, let detail): "the answer is not JSON: \(detail) at byte \(offset)"
    case .missingToken: "the request needs an access token, and there is none"
    case .invalidRequest(let detail): "the request cannot be sent: \(detail)"
    case .unusableAnswer(let detail): detail
    case .unavailable(let detail): detail
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  public var hint: String? {
    switch reason {
    case .offline: "check the network and the address"
    case .timedOut, .interrupted: "try again later"
    case .insecure: "check the server's certificate and the device's clock"
    case .status(401, _), .status(403, _): "check the access token"
    case .status(404, _), .status(410, _): "check the address"
    case .status(429, _): "try again later"
    case .status(let status, _) where status >= 500: "try again later"
    case .decoding: "compare the response's type with the answer"
    case .notJSON: "check that the address is that of an interface, and no web page"
    case .missingToken: "sign in first, or have the provider's accessToken give one"
    case .status, .refused, .invalidRequest, .unusableAnswer, .unavailable: nil
    }
  }

  private static func appendix(_ detail: String) -> String { detail.isEmpty ? "" : ": \(detail)" }
}

extension RequestError {
  /// What a transport's error means for an app.
  internal init(_ error: TransportError) {
    let reason: Reason
    switch error.reason {
    case .unreachable(let detail): reason = .offline(detail)
    case .timedOut: reason = .timedOut
    case .handshake(let detail), .untrusted(let detail): reason = .insecure(detail)
    case .cut(let received, _): reason = .interrupted(receivedByteCount: received)
    case .status(let status, _): reason = .status(status, message: nil)
    case .invalidURL, .invalidHeader: reason = .invalidRequest(error.message)
    case .redirectRefused(.insecure, _): reason = .insecure(error.message)
    case .redirectRefused, .tooLarge, .malformed, .encoded, .changing:
      reason = .unusableAnswer(error.message)
    case .noLibrary, .cancelled: reason = .unavailable(error.message)
    }
    self.init(reason, url: error.url)
  }
}
