/// A file to build from, which holds one page of a source.
package struct FetchedPage: Sendable, Hashable {
  /// Where the bytes lie, in the cache: not to be changed, and read before the next fetch.
  package var path: String
  /// What to call it: its address without secrets.
  package var displayName: String
  package var sha256: String
  package var byteCount: Int64
  /// Whether the server said where the document ends; if not, a cut one looks complete.
  package var isLengthKnown: Bool
  /// The encoding that the server named, if it did.
  package var charset: String?
  /// Who called this a web page, without secrets, if it does not look like one; else nil.
  package var webPageAddress: String?

  /// Creates a page.
  package init(
    path: String, displayName: String, sha256: String, byteCount: Int64, isLengthKnown: Bool = true
  ) {
    self.path = path
    self.displayName = displayName
    self.sha256 = sha256
    self.byteCount = byteCount
    self.isLengthKnown = isLengthKnown
  }
}

/// All pages of one source, in their order.
package struct FetchedSource: Sendable, Hashable {
  /// The address of the source without secrets.
  package var displayName: String
  package var pages: [FetchedPage]

  /// Creates a source.
  package init(displayName: String, pages: [FetchedPage]) {
    self.displayName = displayName
    self.pages = pages
  }
}
