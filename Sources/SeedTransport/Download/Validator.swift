/// What tells whether a document is still the one of which a part is there.
package enum Validator: Sendable, Hashable {
  /// A strong entity tag, with its quotation marks.
  case entityTag(String)
  /// The time of the last change, as the server writes it.
  case lastModified(String)

  /// The validator of an answer that can be resumed; nil if it has none that is strong.
  ///
  /// Strong means byte for byte (RFC 9110, section 8.8): not `W/"…"`, and a time only where it lies
  /// before that of the answer, since the document may change twice in one second.
  package init?(_ headers: HTTPHeaders) {
    if let tag = headers["ETag"] {
      guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
      self = .entityTag(tag)
    } else if let text = headers["Last-Modified"], let changed = HTTPDate.seconds(text),
      let now = headers["Date"].flatMap(HTTPDate.seconds), changed < now
    {
      self = .lastModified(text)
    } else {
      return nil
    }
  }

  /// The value of the header `If-Range`.
  internal var text: String {
    switch self {
    case .entityTag(let text), .lastModified(let text): text
    }
  }

  /// Whether the headers of a 206 speak of the same document.
  ///
  /// They must repeat the tag (RFC 9110, section 15.3.7); the time they may leave out.
  internal func matches(_ headers: HTTPHeaders) -> Bool {
    switch self {
    case .entityTag(let tag): headers["ETag"] == tag
    case .lastModified(let text): headers["Last-Modified"].map { $0 == text } ?? true
    }
  }
}
