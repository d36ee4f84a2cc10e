/// Finds the end of a document type declaration (XML 1.0, section 2.8).
///
/// Quoted literals, comments and processing instructions may hold any bracket.
struct XMLDoctypeScanner {
  private enum State {
    case plain, comment, instruction
    case literal(quote: UInt8)
  }

  private var state = State.plain
  private var isInSubset = false
  /// Whether the declaration has a part in square brackets.
  private(set) var hasInternalSubset = false

  init() {}

  /// Moves `position` on, as far as there are bytes; true behind the closing `>`.
  mutating func scan(
    _ bytes: UnsafePointer<UInt8>, position: inout Int, end: Int, isFinal: Bool
  ) -> Bool {
    func hasText(_ text: StaticString) -> Bool {
      guard end - position >= text.utf8CodeUnitCount else { return false }
      for index in 0..<text.utf8CodeUnitCount
      where bytes[position + index] != text.utf8Start[index] {
        return false
      }
      return true
    }
    while position < end {
      // "<!--" and "-->" must not be cut in two.
      if end - position < 4, !isFinal { return false }
      switch state {
      case .plain:
        if scanPlain(
          bytes, position: &position, opensComment: hasText("<!--"), opensInstruction: hasText("<?")
        ) {
          return true
        }
      case .comment where hasText("-->"):
        state = .plain
        position += 3
      case .instruction where hasText("?>"):
        state = .plain
        position += 2
      case .literal(let quote) where bytes[position] == quote:
        state = .plain
        position += 1
      case .comment, .instruction, .literal:
        position += 1
      }
    }
    return false
  }

  private mutating func scanPlain(
    _ bytes: UnsafePointer<UInt8>, position: inout Int, opensComment: Bool,
    opensInstruction: Bool
  ) -> Bool {
    if opensComment {
      state = .comment
      position += 4
      return false
    }
    if opensInstruction {
      state = .instruction
      position += 2
      return false
    }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .literal(quote: byte)
    case UInt8(ascii: "["):
      isInSubset = true
      hasInternalSubset = true
    case UInt8(ascii: "]"): isInSubset = false
    case UInt8(ascii: ">") where !isInSubset: return true
    default: break
    }
    return false
  }
}
