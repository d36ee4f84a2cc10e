internal import SeedSQLite

extension StoredCell {
  /// A value as the scanner of segments reads it, where it lies.
  init(_ value: BoundValue) {
    switch value.kind {
    case .null: self = .null
    case .integer: self = .integer(Int64(bitPattern: value.bits))
    case .real: self = .real(Double(bitPattern: value.bits))
    case .text: self = .text(Self.bytes(of: value))
    case .blob: self = .blob(Self.bytes(of: value))
    }
  }

  private static func bytes(of value: BoundValue) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: value.bytes, count: Int(value.count))
  }

  /// A copy of the value.
  var owned: SQLiteValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): .blob(Array(bytes))
    }
  }

  /// The value as SQL and people write it, cut where it is long.
  var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): value.description
    case .text(let bytes): "\"\(String(decoding: bytes.prefix(60), as: UTF8.self))\""
    case .blob(let bytes):
      "x'\(bytes.prefix(30).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
    }
  }
}
