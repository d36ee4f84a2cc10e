// What PathMonitor.swift uses of Apple's framework Network.
import Dispatch

public struct NWPath: Sendable {
  public enum Status: Sendable {
    case satisfied, unsatisfied, requiresConnection
  }

  public let status: Status
}

public final class NWPathMonitor: @unchecked Sendable {
  public init() {}
  public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?
  public func start(queue: DispatchQueue) {}
}
