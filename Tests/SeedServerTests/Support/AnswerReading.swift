import Foundation
import SeedFiles
import SeedModel
import SeedServer
import SeedStreams

/// A client that never hangs up; what it waits for may be changed by a closure.
final class PatientClient: ServedClient {
  private let whileWaiting: () throws -> Void
  private(set) var waits: [Duration] = []

  init(whileWaiting: @escaping () throws -> Void = {}) {
    self.whileWaiting = whileWaiting
  }

  func wait(_ duration: Duration, until isOver: () throws -> Bool) rethrows {
    waits.append(duration)
    if try isOver() { return }
    do {
      try whileWaiting()
    } catch {
      return
    }
    _ = try isOver()
  }

  func reset() {}
}

extension ServerAnswer {
  /// The value of a header.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The whole body.
  func bytes(pieceLimit: Int = 1000) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: pieceLimit)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try body.read(into: $0) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// The lines of the body, each a JSON document.
  func lines() throws -> [JSONValue] {
    try bytes().split(separator: 10).map { try JSONValue(parsing: Array($0)) }
  }

  /// The only document of the body.
  func document() throws -> JSONValue { try JSONValue(parsing: try bytes()) }
}

extension ServerRoutes {
  /// The answer to a target.
  func get(
    _ target: String, method: String = "GET", _ headers: [String: String] = [:],
    from client: any ServedClient = PatientClient()
  ) -> ServerAnswer {
    answer(to: ServerRequest(method: method, target: target, headers: headers), from: client)
  }
}

extension StreamPosition {
  /// The address at which a client with this position asks.
  func target(_ more: String = "") -> String {
    "/v1/streams/catalog?epoch=\(epoch)&id=\(id)&seq=\(seq)\(more)"
  }
}
