internal import SeedModel

/// A piece of the document as it goes from the filter to the parser.
struct XMLFilterChunk {
  /// What the parser sees.
  var output = XMLFilterOutput()
  /// The attribute values that were taken out of it.
  var values = XMLAttributeDecoder()
  /// The piece as it stands in the document, for errors.
  var original = XMLOriginalText()
  /// What the filter found wrong behind this piece.
  var failure: InputError?

  mutating func removeAll() {
    output.removeAll()
    values.removeAll()
    original.count = 0
    failure = nil
  }

  func deallocate() {
    output.deallocate()
    values.deallocate()
    original.deallocate()
  }
}

/// A copy of a piece of the document, with its place.
struct XMLOriginalText {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private var capacity = TextWindow.readByteCount + 4_096
  var count = 0
  /// The offset in the document of the first byte.
  var startOffset: Int64 = 0
  /// The line and column of the first byte.
  var line = 1
  var column = 1

  init() {
    bytes = .allocate(capacity: capacity)
  }

  func deallocate() {
    bytes.deallocate()
  }

  mutating func set(_ source: UnsafePointer<UInt8>, count newCount: Int) {
    if newCount > capacity || capacity > 4 * newCount + 4 * TextWindow.readByteCount {
      bytes.deallocate()
      capacity = max(newCount, TextWindow.readByteCount + 4_096)
      bytes = .allocate(capacity: capacity)
    }
    bytes.update(from: source, count: newCount)
    count = newCount
  }
}
