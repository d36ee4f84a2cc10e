/// What has to be known, besides its bytes, to go on with a part of a document.
package struct DownloadState: Sendable, Hashable {
  package var validator: Validator?
  /// The size of the whole document, where the server said it.
  package var byteCount: Int64?
  /// The reference of the next page, which the answers with the rest need not repeat.
  package var nextPage: String?

  /// The state of a part about which nothing is known, which cannot be resumed.
  package init(validator: Validator? = nil, byteCount: Int64? = nil, nextPage: String? = nil) {
    self.validator = validator
    self.byteCount = byteCount
    self.nextPage = nextPage
  }
}
