/// A value that waits to be inserted by a ``BulkInsert``.
///
/// Open memory, not calls: a loader fills millions of them.
package struct BoundValue {
  /// How the other properties are to be read.
  package enum Kind: UInt8 {
    case null, integer, real, text, blob
  }

  package var kind: Kind
  /// The count of a text's or a blob's bytes.
  package var count: Int32 = 0
  /// An integer, or the bit pattern of a floating-point number.
  package var bits: UInt64 = 0
  /// A text's UTF-8 bytes or a blob's, which must stay where they are until the row is inserted.
  package var bytes: UnsafePointer<UInt8>?

  package init(kind: Kind, count: Int32 = 0, bits: UInt64 = 0, bytes: UnsafePointer<UInt8>? = nil) {
    self.kind = kind
    self.count = count
    self.bits = bits
    self.bytes = bytes
  }
}
