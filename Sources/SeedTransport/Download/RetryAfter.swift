/// The header `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// How long the server asks to wait; nil if it does not say so in an intelligible way.
  ///
  /// A date is compared with the answer's own date: our clock may be years off.
  /// - Parameter headers: The headers of an answer.
  /// - Returns: The time to wait.
  package static func delay(in headers: HTTPHeaders) -> Duration? {
    guard let text = headers["Retry-After"].map({ HTTPText.trimmed($0) }) else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy(HTTPURL.isDigit) {
      // More digits than a number holds ask for a long wait all the same.
      return .seconds(min(HTTPText.number(text) ?? longest, longest))
    }
    guard let date = HTTPDate.seconds(text), let now = headers["Date"].flatMap(HTTPDate.seconds)
    else { return nil }
    return .seconds(max(0, min(date - now, longest)))
  }

  /// Far more than any policy allows; keeps the arithmetic from overflowing.
  private static let longest: Int64 = 1_000_000_000
}
