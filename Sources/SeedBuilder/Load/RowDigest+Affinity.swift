package import SeedSQLite

/// What SQLite makes of a value that a column gets, by the column's type.
package enum ColumnAffinity: UInt8, Sendable {
  /// Whole numbers become integers; INTEGER, NUMERIC and what is like them.
  case number
  /// All numbers become floating-point ones.
  case real
  case text
  /// Every value stays as it is.
  case none
}

extension RowDigest {
  /// Integers that every version of SQLite makes of a floating-point number without a fraction.
  private static let mostWhole = 2_251_799_813_685_248.0

  /// Adds a row as it will be stored.
  ///
  /// - Parameters:
  ///   - id: The number of the row.
  ///   - values: What is inserted.
  ///   - affinities: Those of the columns.
  ///   - count: How many columns there are.
  /// - Returns: False when it is not sure what SQLite stores; the digest is worth nothing then.
  package mutating func add(
    id: Int64, _ values: UnsafePointer<BoundValue>, _ affinities: UnsafePointer<ColumnAffinity>,
    count: Int
  ) -> Bool {
    startRow(id: id)
    for column in 0..<count {
      let value = values + column
      switch value.pointee.kind {
      case .null: continue
      case .integer:
        switch affinities[column] {
        case .number, .none: number(column, UInt8(ascii: "i"), value.pointee.bits)
        case .real, .text: return false
        }
      case .real:
        guard add(Double(bitPattern: value.pointee.bits), column, affinities[column]) else {
          return false
        }
      case .text:
        switch affinities[column] {
        case .text, .none: break
        case .number, .real: return false
        }
        guard let first = value.pointee.bytes else { continue }
        bytes(column, UInt8(ascii: "t"), first, count: Int(value.pointee.count))
      case .blob:
        guard let first = value.pointee.bytes else { continue }
        bytes(column, UInt8(ascii: "b"), first, count: Int(value.pointee.count))
      }
    }
    return true
  }

  @inline(__always)
  private mutating func add(
    _ value: Double, _ column: Int, _ affinity: ColumnAffinity
  ) -> Bool {
    // The sign of a zero goes with the fraction.
    guard value.isFinite, value != 0 || value.sign == .plus else { return false }
    switch affinity {
    case .number where value == value.rounded(.towardZero):
      guard value.magnitude < Self.mostWhole else { return false }
      number(column, UInt8(ascii: "i"), UInt64(bitPattern: Int64(value)))
    case .number, .real, .none: number(column, UInt8(ascii: "d"), value.bitPattern)
    case .text: return false
    }
    return true
  }
}
