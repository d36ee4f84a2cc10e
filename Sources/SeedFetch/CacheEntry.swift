internal import SeedModel
internal import SeedTransport

/// What the cache knows about one address: the document that was there and how to ask for news.
internal struct CacheEntry: Sendable, Hashable {
  internal var url: String
  internal var sha256: String
  internal var byteCount: Int64
  internal var entityTag: String?
  internal var lastModified: String?
  /// The address of the next page, without secrets.
  internal var nextPage: String?
  internal var isLengthKnown = true
  /// The encoding that the server named.
  internal var charset: String?

  internal init(
    url: String, digest: (sha256: String, byteCount: Int64), head: HTTPHead, nextPage: String?,
    isLengthKnown: Bool
  ) {
    self.url = url
    sha256 = digest.sha256
    byteCount = digest.byteCount
    entityTag = head.headers["ETag"]
    lastModified = head.headers["Last-Modified"]
    charset = ContentCharset.name(in: head.headers)
    self.nextPage = nextPage
    self.isLengthKnown = isLengthKnown
  }

  /// Whether the server can be asked if the document is still the same.
  internal var isConditional: Bool { entityTag != nil || lastModified != nil }

  internal var document: JSONValue {
    [
      "format": 1, "url": .string(url), "sha256": .string(sha256), "size": .integer(byteCount),
      "etag": .string(entityTag), "last_modified": .string(lastModified),
      "next": .string(nextPage), "length_known": .bool(isLengthKnown),
      "charset": .string(charset),
    ]
  }

  /// Reads an entry; nil for anything that is none, which is then fetched anew.
  internal init?(_ document: JSONValue) {
    guard document["format"] == 1, let url = document["url"]?.stringValue,
      let sha256 = document["sha256"]?.stringValue, FetchCache.isName(sha256),
      let byteCount = document["size"]?.integerValue
    else { return nil }
    self.url = url
    self.sha256 = sha256
    self.byteCount = byteCount
    entityTag = document["etag"]?.stringValue
    lastModified = document["last_modified"]?.stringValue
    nextPage = document["next"]?.stringValue
    isLengthKnown = document["length_known"] != false
    charset = document["charset"]?.stringValue
  }
}
