internal import SeedFiles
internal import SeedTransport

/// What a load asks the server for.
internal enum HyperHiveDelta: Sendable, Hashable {
  case whole
  /// What has changed since a version.
  case since(Int64)
  /// What has changed since the rows with a tag, of which the server has told no version.
  case sinceTag(String)

  /// The header `X-Delta`.
  internal var header: String? {
    switch self {
    case .whole: nil
    case .since(let version): "v\(version)-last"
    case .sinceTag: "auto"
    }
  }
}

/// Gets the document of a load into its spool.
internal final class HyperHiveTransfer {
  /// How a transfer ended.
  internal enum Outcome {
    /// The spool holds the document.
    case document(entityTag: String?, contentVersion: String?)
    /// Nothing has changed (304).
    case unchanged
  }

  private let session: HyperHiveSession
  private let scope: HyperHiveScope
  private let delta: HyperHiveDelta
  private let transactionID: String?
  private let spool: HyperHiveSpool
  internal var exchange: HyperHiveExchange

  internal init(
    _ session: HyperHiveSession, _ scope: HyperHiveScope, _ delta: HyperHiveDelta,
    transactionID: String?, spool: HyperHiveSpool, exchange: HyperHiveExchange
  ) {
    self.session = session
    self.scope = scope
    self.delta = delta
    self.transactionID = transactionID
    self.spool = spool
    self.exchange = exchange
  }

  /// Makes requests until the document is there.
  ///
  /// - Throws: ``HyperHiveError``, ``TransportError``, ``FileError``. What came stays in a spool that
  ///   is kept.
  internal func run(_ retries: inout HyperHiveRetries) throws -> Outcome {
    var restarts = 0
    while true {
      let attempt = HyperHiveAttempt(
        try request(&retries), spool: spool, identity: identity, resumesWith: resumption)
      do {
        defer { note(attempt) }
        return try attempt.run(session.transport, retries.cancellation)
      } catch is HyperHiveAttempt.Restart {
        try spool.removeAllBytes()
        restarts += 1
        guard restarts <= HyperHiveRules.mostRestarts else {
          throw try request(&retries).error(.changing)
        }
      } catch {
        if !spool.isResumable { try spool.removeAllBytes() }
        try retries.prepare(after: error, exchange: &exchange)
      }
    }
  }

  private func note(_ attempt: HyperHiveAttempt) {
    exchange.byteCount += attempt.receivedByteCount
    if let head = attempt.head { exchange.take(head, attempt.request.redaction) }
  }

  /// What the spool's bytes are, as far as it is known before an answer.
  internal var identity: SpoolSidecar {
    Self.identity(scope, delta, server: session.server)
  }

  internal static func identity(
    _ scope: HyperHiveScope, _ delta: HyperHiveDelta, server: HyperHiveServer
  ) -> SpoolSidecar {
    SpoolSidecar(
      server: "\(server.host) \(server.identity)", resource: scope.resource,
      parameters: scope.parameters.digest, request: delta.header ?? "whole", entityTag: "")
  }

  /// The tag with which the spool is continued: not beside `X-Delta: auto`, where `If-Match` has
  /// another meaning.
  private var resumption: String? {
    if case .sinceTag = delta { return nil }
    return spool.isResumable ? spool.sidecar?.entityTag : nil
  }

  private func request(_ retries: inout HyperHiveRetries) throws -> HTTPRequest {
    var request = try retries.request("POST", "rpc/\(Percent.encode(scope.resource))/")
    request.body = scope.parameters.body
    request.headers.append(HTTPField("Content-Type", "application/json"))
    if let header = delta.header { request.headers.append(HTTPField("X-Delta", header)) }
    if let transactionID {
      request.headers.append(HTTPField("X-Transaction-ID", transactionID))
    }
    if case .sinceTag(let tag) = delta { request.headers.append(HTTPField("If-Match", tag)) }
    if let tag = resumption {
      let range = "bytes=\(spool.byteCount)-"
      request.headers.append(HTTPField("X-Range", range))
      request.headers.append(HTTPField("If-Match", tag))
      // What an ordinary server understands.
      request.headers.append(HTTPField("Range", range))
      request.headers.append(HTTPField("If-Range", tag))
    }
    return request
  }
}
