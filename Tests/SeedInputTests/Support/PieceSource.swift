import SeedInput

/// Gives bytes in pieces of a fixed size, however many are asked for.
final class PieceSource: ByteSource {
  private let bytes: [UInt8]
  private let pieceSize: Int
  private var offset = 0
  /// Thrown once all bytes were given, instead of the end.
  private let failure: (any Error)?

  init(_ bytes: some Sequence<UInt8>, pieceSize: Int = .max, failure: (any Error)? = nil) {
    self.bytes = Array(bytes)
    self.pieceSize = pieceSize
    self.failure = failure
  }

  func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) throws -> Int {
    let count = min(capacity, pieceSize, bytes.count - offset)
    if count == 0, let failure { throw failure }
    for index in 0..<count { buffer[index] = bytes[offset + index] }
    offset += count
    return count
  }

  /// Everything that a source gives, asked for in steps of `step` bytes.
  static func drain(_ source: any ByteSource, step: Int = 4_096) throws -> [UInt8] {
    var all: [UInt8] = []
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: step)
    defer { buffer.deallocate() }
    while true {
      let count = try source.read(into: buffer, capacity: step)
      if count == 0 { return all }
      all += UnsafeBufferPointer(start: buffer, count: count)
    }
  }
}
