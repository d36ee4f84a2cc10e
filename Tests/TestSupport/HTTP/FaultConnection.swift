import Foundation

/// One connection of a fault server: reads requests and does as the answers say.
final class FaultConnection {
  private let descriptor: Int32
  private let state: ServerState
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32, state: ServerState) {
    self.descriptor = descriptor
    self.state = state
  }

  func serve() {
    while let request = readRequest(), send(state.answer(request), to: request) {}
    state.close(descriptor)
  }

  /// Sends an answer.
  ///
  /// - Returns: Whether the connection goes on.
  private func send(_ answer: HTTPAnswer, to request: ReceivedRequest) -> Bool {
    if let writer = answer.writer { return send(answer.head, then: writer) }
    let bytes = request.method == "HEAD" ? answer.head : answer.bytes
    switch answer.fault {
    case .none:
      guard LoopbackSocket.send(bytes, to: descriptor), answer.raw == nil else { return false }
      if case .untilClose = answer.framing { return false }
      return true
    case .close(let count):
      _ = LoopbackSocket.send(bytes.prefix(count), to: descriptor)
      shutdown(descriptor, Int32(SHUT_RDWR))
      return false
    case .reset(let count):
      _ = LoopbackSocket.send(bytes.prefix(count), to: descriptor)
      LoopbackSocket.resetOnClose(descriptor)
      return false
    case .stall(let count):
      _ = LoopbackSocket.send(bytes.prefix(count), to: descriptor)
      LoopbackSocket.waitForEnd(descriptor)
      return false
    case .slow(let count, let pause):
      for start in stride(from: 0, to: bytes.count, by: count) {
        guard LoopbackSocket.send(bytes[start..<min(start + count, bytes.count)], to: descriptor),
          LoopbackSocket.isOpen(descriptor, afterMilliseconds: pause)
        else { return false }
      }
      return true
    case .endless:
      guard LoopbackSocket.send(answer.head, to: descriptor) else { return false }
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
      while LoopbackSocket.send(piece, to: descriptor) {}
      return false
    }
  }

  /// Sends a body while it is made.
  private func send(
    _ head: [UInt8], then writer: (_ send: ([UInt8]) -> Bool) -> Void
  ) -> Bool {
    guard LoopbackSocket.send(head, to: descriptor) else { return false }
    var isAlive = true
    writer { piece in
      guard isAlive, !piece.isEmpty else { return isAlive }
      let size = Array((String(piece.count, radix: 16) + "\r\n").utf8)
      isAlive = LoopbackSocket.send(size + piece + [13, 10], to: descriptor)
      return isAlive
    }
    return isAlive && LoopbackSocket.send(Array("0\r\n\r\n".utf8), to: descriptor)
  }

  private func readRequest() -> ReceivedRequest? {
    let mark = Array("\r\n\r\n".utf8)
    var end: Int?
    while end == nil {
      end = buffer.firstRange(of: mark)?.upperBound
      if end == nil, !receive() { return nil }
    }
    guard let end else { return nil }
    let lines = String(decoding: buffer[..<(end - 4)], as: UTF8.self)
      .components(separatedBy: "\r\n")
    buffer.removeFirst(end)
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      return (line[..<colon].lowercased(), value)
    }
    var request = ReceivedRequest(
      method: String(words[0]), target: String(words[1]), headers: headers, body: [])
    let length = request["content-length"].flatMap { Int($0) } ?? 0
    while buffer.count < length {
      guard receive() else { return nil }
    }
    request.body = Array(buffer.prefix(length))
    buffer.removeFirst(length)
    return request
  }

  private func receive() -> Bool {
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { return false }
    buffer += piece[..<count]
    return true
  }
}
