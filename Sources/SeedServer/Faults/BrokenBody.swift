/// A body that breaks off after some bytes.
internal final class BrokenBody: AnswerBody {
  /// Ends the answer here.
  internal struct BrokenOff: Error {}

  private let body: any AnswerBody
  private let ending: Fault.Ending
  private var bytesLeft: Int64
  private let client: any ServedClient

  internal init(
    _ body: any AnswerBody, _ ending: Fault.Ending, after byteCount: Int64,
    client: any ServedClient
  ) {
    self.body = body
    self.ending = ending
    bytesLeft = byteCount
    self.client = client
  }

  /// The right length: the fault is that not all of it comes.
  internal var byteCount: Int64? { body.byteCount }

  internal func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard bytesLeft > 0 else {
      // A body that is complete does not break off.
      let isEnd = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
        try body.read(into: UnsafeMutableRawBufferPointer(byte)) == 0
      }
      if isEnd { return 0 }
      return try breakOff()
    }
    let room = Int(min(bytesLeft, Int64(buffer.count)))
    let count = try body.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
    bytesLeft -= Int64(count)
    return count
  }

  private func breakOff() throws -> Int {
    switch ending {
    case .drop: break
    case .reset: client.reset()
    case .stall: client.wait(.seconds(86_400)) { false }
    }
    throw BrokenOff()
  }
}
