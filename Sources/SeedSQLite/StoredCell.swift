#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// One value where it lies, without a copy of its bytes: for paths that see every row.
package enum StoredCell {
  case null
  case integer(Int64)
  case real(Double)
  /// UTF-8 text.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)

  /// Whether two values have the same storage class and the same bytes; the sign of a zero is no
  /// difference.
  ///
  /// `1` is not `1.0` and not `'1'`, whatever affinity and collation say; NULL is NULL.
  package func isSame(as other: StoredCell) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.integer(let first), .integer(let second)): first == second
    case (.real(let first), .real(let second)): first == second
    case (.text(let first), .text(let second)), (.blob(let first), .blob(let second)):
      first.count == second.count && Self.common(first, second) == 0
    default: false
    }
  }

  /// The order of the bytes that both have.
  static func common(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let count = min(first.count, second.count)
    guard count > 0, let a = first.baseAddress, let b = second.baseAddress else { return 0 }
    return Int(memcmp(a, b, count))
  }
}

extension Statement {
  /// A column's value in its stored type.
  ///
  /// The bytes of a text or a blob are valid until the statement is stepped or reset, and as long
  /// as the column is not asked for in another type.
  package func cell(_ index: Int32) -> StoredCell {
    switch columnType(index) {
    case .null: .null
    case .integer: .integer(integer(index))
    case .real: .real(real(index))
    case .text: .text(withTextBytes(index) { UnsafeRawBufferPointer($0) })
    case .blob: .blob(withBlobBytes(index) { $0 })
    }
  }
}

extension SQLiteValue {
  /// Lends the value as a cell, valid inside the closure only.
  package func withCell<Result, Failure: Error>(
    _ body: (StoredCell) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .null: return try body(.null)
    case .integer(let value): return try body(.integer(value))
    case .real(let value): return try body(.real(value))
    case .text(let text):
      let bytes = Array(text.utf8)
      return try Self.lend(bytes) { (lent) throws(Failure) in try body(.text(lent)) }
    case .blob(let bytes):
      return try Self.lend(bytes) { (lent) throws(Failure) in try body(.blob(lent)) }
    }
  }

  private static func lend<Result, Failure: Error>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
      try body(UnsafeRawBufferPointer(buffer))
    }
  }
}
