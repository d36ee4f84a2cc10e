import SeedModel
import TestSupport

@testable import SeedBuilder

/// A converted value in a form that tests can compare.
enum Stored: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case contradiction
}

extension ValueStatistics {
  /// The statistics of a column of the given values.
  init(of values: [String], rules: ValueRules = .standard) {
    self.init(rules: rules)
    for value in values { observe(value) }
  }

  mutating func observe(_ value: String) {
    withBytes(of: value) { _ = observe($0, $1) }
  }
}

extension ColumnConverter {
  mutating func convert(_ value: String) -> Stored {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ColumnConverter.scratchSize) { room in
      guard let scratch = room.baseAddress else { return .contradiction }
      return withBytes(of: value) { bytes, count in
        switch convert(bytes, count, into: scratch) {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .sameText: .text(value)
        case .scratchText(let count):
          .text(String(decoding: UnsafeBufferPointer(start: scratch, count: count), as: UTF8.self))
        case .contradiction, .base64: .contradiction
        }
      }
    }
  }
}

/// Calls the body with the text's bytes; an empty text has an address too, as in a reader's batch.
func withBytes<Result>(of text: String, _ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
  let bytes = Array(text.utf8) + [0]
  return bytes.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { preconditionFailure("an array of one has bytes") }
    return body(start, buffer.count - 1)
  }
}

/// The type inferred for a column of the given values.
func columnType(_ values: [String], rules: ValueRules = .standard) -> ColumnType {
  ValueStatistics(of: values, rules: rules).columnType
}

/// What a column of the given values stores, once its type is inferred from all of them.
func stored(_ values: [String], rules: ValueRules = .standard) -> [Stored] {
  var converter = ColumnConverter(ValueStatistics(of: values, rules: rules))
  return values.map { converter.convert($0) }
}

/// Numbers that look random and are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
