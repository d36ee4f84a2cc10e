/// An element between its start and its end.
struct OpenElement {
  var role: Int
  var line: UInt32
  /// The text of a value; nil while there is none.
  var bytes: UnsafePointer<UInt8>?
  var count = 0
  /// Whether the text is in memory of the assembler's own.
  var isJoined = false
}

/// The open elements, the outermost first.
///
/// Not generic: what is done for each element is less than a call that looks up types would cost.
struct ElementStack {
  private(set) var base: UnsafeMutablePointer<OpenElement>
  private(set) var count = 0
  private var capacity = 64

  init() {
    base = .allocate(capacity: capacity)
  }

  func deallocate() { base.deallocate() }

  @inline(__always)
  mutating func append(_ element: OpenElement) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Removes the innermost element.
  ///
  /// - Precondition: There is one.
  @inline(__always)
  mutating func removeLast() {
    precondition(count > 0)
    count -= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<OpenElement>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
