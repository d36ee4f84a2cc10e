/// Why a request has no answer: the kinds that an app tells apart, and the address.
public struct RequestError: Error, Sendable, Hashable {
  /// The kinds of failure.
  public enum Reason: Sendable, Hashable {
    /// There is no network, the host is not known, or it takes no connection; the cause in the words
    /// of the system.
    case offline(String)
    /// No connection came about in time, the server fell silent, or the answer took too long.
    case timedOut
    /// No secure connection came about, or the server cannot prove who it is.
    case insecure(String)
    /// The connection ended inside of the answer.
    case interrupted(receivedByteCount: Int64)
    /// The server answered with a status that is no success, and perhaps a message in the envelope.
    case status(Int, message: String?)
    /// The envelope says that the request failed; its message, or nil without one.
    case refused(message: String?)
    /// The answer is JSON, but not that of the response's type.
    ///
    /// The path leads from the outermost value to the place: `data.notes[3].title`.
    case decoding(codingPath: String, String)
    /// The answer is not JSON, from this byte on, counted from 0.
    case notJSON(byteOffset: Int, String)
    /// The request needs an access token and there is none; nothing was sent.
    case missingToken
    /// The request cannot be sent as it is.
    case invalidRequest(String)
    /// The answer is not what HTTP allows or the options take.
    case unusableAnswer(String)
    /// The system cannot send anything.
    case unavailable(String)
  }

  /// What is wrong.
  public var reason: Reason
  /// The address, without secrets.
  public var url: String

  /// Creates an error about an address, which must not hold a secret.
  package init(_ reason: Reason, url: String) {
    self.reason = reason
    self.url = url
  }

  /// Whether the same request may well succeed a moment later.
  public var isTransient: Bool {
    switch reason {
    case .offline, .timedOut, .interrupted: true
    case .status(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
    default: false
    }
  }
}
