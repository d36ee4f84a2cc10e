package import SeedFiles
package import SeedSQLite

/// Collects the bytes that go into a digest, so that it is fed in large pieces.
package struct DigestBytes {
  private static let limit = 1 << 16
  private var bytes: [UInt8] = []

  /// No bytes yet.
  package init() {}

  /// Whether enough is collected to feed the digest.
  package var isFull: Bool { bytes.count >= Self.limit }

  /// Adds a byte.
  package mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Adds bytes as they are.
  package mutating func append(contentsOf other: some Sequence<UInt8>) {
    bytes.append(contentsOf: other)
  }

  /// Adds a number in little-endian order, in as many bytes as its type has.
  package mutating func append(integer: some FixedWidthInteger) {
    withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Adds a text with its length, or the mark of a missing one.
  package mutating func append(textAt column: Int32, of statement: Statement) {
    guard statement.columnType(column) != .null else {
      append(integer: UInt64.max)
      return
    }
    statement.withTextBytes(column) { text in
      append(integer: UInt64(text.count))
      bytes.append(contentsOf: text)
    }
  }

  /// Adds a blob with its length.
  package mutating func append(blobAt column: Int32, of statement: Statement) {
    statement.withBlobBytes(column) { blob in
      append(integer: UInt64(blob.count))
      bytes.append(contentsOf: blob)
    }
  }

  /// Adds a value that is not NULL: its type in a letter, and the value; nothing for NULL.
  package mutating func append(valueAt column: Int32, of statement: Statement) {
    switch statement.columnType(column) {
    case .null: break
    case .integer: append(integerValue: statement.integer(column))
    case .real:
      append(UInt8(ascii: "d"))
      append(integer: statement.real(column).bitPattern)
    case .text:
      append(UInt8(ascii: "t"))
      append(textAt: column, of: statement)
    case .blob:
      append(UInt8(ascii: "b"))
      append(blobAt: column, of: statement)
    }
  }

  /// Adds a value that is an integer.
  package mutating func append(integerValue: Int64) {
    append(UInt8(ascii: "i"))
    append(integer: integerValue)
  }

  /// Hands everything to the digest.
  package mutating func flush(into digest: inout SHA256Digest) {
    bytes.withUnsafeBytes { digest.update($0) }
    bytes.removeAll(keepingCapacity: true)
  }
}
