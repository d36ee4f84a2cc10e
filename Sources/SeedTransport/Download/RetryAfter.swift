/// The header `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// How long the server asks to wait; nil if it does not say so in an intelligible way.
  ///
  /// A date is compared with the answer's own date: our clock may be years off.
  package static func delay(in headers: HTTPHeaders) -> Duration? {
    guard let text = headers["Retry-After"].map({ HTTPText.trimmed($0) }) else { return nil }
    if let seconds = HTTPText.number(text) { return .seconds(min(seconds, longest)) }
    guard let date = HTTPDate.seconds(text), let now = headers["Date"].flatMap(HTTPDate.seconds)
    else { return nil }
    return .seconds(max(0, min(date - now, longest)))
  }

  /// Far more than any policy allows; keeps the arithmetic from overflowing.
  private static let longest: Int64 = 1_000_000_000
}
