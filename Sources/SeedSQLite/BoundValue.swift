/// A value that waits to be inserted by a ``BulkInsert``.
///
/// Small and open memory, not calls: a loader fills millions of them, and another thread reads them.
package struct BoundValue {
  /// How the other properties are to be read.
  package enum Kind: UInt8 {
    case null, integer, real, text, blob
  }

  package var kind: Kind
  /// The count of a text's or a blob's bytes.
  package var count: Int32
  /// An integer, the bit pattern of a floating-point number, or the address of a text's UTF-8 bytes
  /// or a blob's, which must stay where they are until the row is inserted.
  package var bits: UInt64

  @inlinable
  package init(kind: Kind, count: Int32, bits: UInt64) {
    self.kind = kind
    self.count = count
    self.bits = bits
  }

  /// NULL.
  @inlinable
  package static var null: BoundValue { BoundValue(kind: .null, count: 0, bits: 0) }

  @inlinable
  package static func integer(_ value: Int64) -> BoundValue {
    BoundValue(kind: .integer, count: 0, bits: UInt64(bitPattern: value))
  }

  @inlinable
  package static func real(_ value: Double) -> BoundValue {
    BoundValue(kind: .real, count: 0, bits: value.bitPattern)
  }

  /// A text of UTF-8 bytes, which must stay where they are until it is inserted.
  @inlinable
  package static func text(_ bytes: UnsafePointer<UInt8>, count: Int) -> BoundValue {
    BoundValue(kind: .text, count: Int32(truncatingIfNeeded: count), bits: address(bytes))
  }

  /// A blob, whose bytes must stay where they are until it is inserted.
  @inlinable
  package static func blob(_ bytes: UnsafePointer<UInt8>, count: Int) -> BoundValue {
    BoundValue(kind: .blob, count: Int32(truncatingIfNeeded: count), bits: address(bytes))
  }

  @inlinable
  package static func address(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(UInt(bitPattern: bytes))
  }

  /// A text's or a blob's bytes.
  @inlinable
  package var bytes: UnsafePointer<UInt8>? { UnsafePointer(bitPattern: UInt(bits)) }
}
