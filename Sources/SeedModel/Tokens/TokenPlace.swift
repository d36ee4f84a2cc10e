/// Where in a text a token comes from, as far as its reader knows that without looking back.
package struct TokenPlace: Sendable, Hashable {
  /// What stands at ``offset``.
  package enum Kind: Sendable, Hashable {
    /// The value, with its opening quote if it has one.
    case value
    /// The end of the start tag of an element.
    case tag
    /// The end of the start tag that has an attribute of this name.
    case attribute(String)
    /// The end of the tag behind which a text begins.
    case content
  }

  /// The offset in the input's bytes, unpacked, in UTF-8 and without a byte order mark.
  package var offset: Int64
  package var kind: Kind
  /// The offset of the start of the record, which starts a line, and that line; of delimited text.
  package var record: Record?

  /// A record of delimited text.
  package struct Record: Sendable, Hashable {
    package var offset: Int64
    package var line: Int

    package init(offset: Int64, line: Int) {
      self.offset = offset
      self.line = line
    }
  }

  package init(offset: Int64, kind: Kind = .value, record: Record? = nil) {
    self.offset = offset
    self.kind = kind
    self.record = record
  }
}
