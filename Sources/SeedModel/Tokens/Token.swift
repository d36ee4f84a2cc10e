/// The kinds of token in a ``TokenBatch``, and how a token's first word is made.
package enum Token {
  package static let kindMask: UInt32 = 0b11 << 30
  package static let start: UInt32 = 0b00 << 30
  package static let field: UInt32 = 0b01 << 30
  package static let text: UInt32 = 0b10 << 30
  package static let end: UInt32 = 0b11 << 30

  /// The place or field of a token's first word.
  @inline(__always)
  package static func index(_ word: UInt32) -> Int { Int(word & ~kindMask) }
}
