internal import SeedFiles
internal import SeedTransport

/// One request of the dynamic protocol and its answer.
internal final class DynamicExchange {
  /// What an answer has come to.
  internal enum Outcome {
    /// How it ended, nil where the end is missing, and the checkpoints that came whole.
    case answer(DynamicAnswer.Ending?, [ClosedCheckpoint])
    /// The position leads nowhere.
    case reset(ResetDocument)
  }

  private let endpoint: HTTPURL
  private let state: StreamState
  private let slot: SpoolSlot
  private let context: StreamContext
  private var answer: DynamicAnswer?
  private var document: [UInt8]?

  /// A request that goes on from where a database stands.
  internal init(
    _ endpoint: HTTPURL, _ state: StreamState, _ slot: SpoolSlot, _ context: StreamContext
  ) {
    self.endpoint = endpoint
    self.state = state
    self.slot = slot
    self.context = context
  }

  /// Whether rows have come that were not there before.
  internal var hasProgressed: Bool { answer?.hasProgressed ?? false }

  /// Makes the request.
  ///
  /// What came whole before a failure is an answer: it is applied, and the failure comes again if it
  /// lasts.
  /// - Parameters:
  ///   - waitSeconds: How long the server may wait for something new.
  ///   - isBypassingCaches: Whether caches on the way are passed by.
  /// - Returns: What has come.
  /// - Throws: ``StreamError``, ``DynamicAnswer/Mismatch``, ``SeedTransport/TransportError``,
  ///   ``SeedFiles/FileError``.
  internal func run(waitSeconds: Int?, isBypassingCaches: Bool) throws -> Outcome {
    let pages = try VerifiedPages(slot, after: state.position)
    let url = DynamicQuery(
      position: state.position, cursor: pages.last?.cursor ?? state.cursor,
      schema: slot.key.schema, waitSeconds: waitSeconds
    ).url(endpoint)
    answer = DynamicAnswer(pages, slot, in: context)
    do {
      try perform(url, waitSeconds: waitSeconds, isBypassingCaches: isBypassingCaches)
    } catch is DynamicAnswer.Enough {
      return outcome
    } catch is DynamicAnswer.Fruitless {
      return outcome
    } catch {
      guard let closed = answer?.closed, !closed.isEmpty, Self.mayBePostponed(error) else {
        throw error
      }
      return outcome
    }
    if let document { return .reset(try reset(document)) }
    return outcome
  }

  private var outcome: Outcome { .answer(answer?.ending, answer?.closed ?? []) }

  /// Whether an error will come again if it lasts.
  private static func mayBePostponed(_ error: any Error) -> Bool {
    if let error = error as? TransportError { return error.isTransient }
    return error is DynamicAnswer.Mismatch
  }

  private func perform(
    _ url: HTTPURL, waitSeconds: Int?, isBypassingCaches: Bool
  ) throws {
    var fields = [HTTPField("Accept", "application/x-ndjson")]
    if isBypassingCaches { fields.append(HTTPField("Cache-Control", "no-cache")) }
    var limits = context.limits
    // The server may be silent for as long as it was asked to wait, and then as long as any other.
    limits.stallTimeout += .seconds(waitSeconds ?? 0)
    try context.perform(
      url, headers: fields, limits: limits,
      onHead: { try take($0, url) },
      onBody: { bytes in
        if document != nil { return try takeDocument(bytes) }
        guard let answer else { return }
        if answer.ending == nil { context.update { $0.phase = .downloading } }
        try answer.take(bytes)
      })
  }

  private func take(_ head: HTTPHead, _ url: HTTPURL) throws {
    switch head.status {
    case 200: break
    case 204: answer?.endEmpty()
    case 404: throw context.error(.notFound(url: endpoint.textWithoutQuery))
    case 410: document = []
    default:
      throw TransportError(
        .status(head.status, retryAfter: RetryAfter.delay(in: head.headers)),
        url: endpoint.textWithoutQuery)
    }
    if let coding = head.contentCodings.first {
      throw context.error(.contentTransformed(header: "Content-Encoding: \(coding)"))
    }
  }

  private func takeDocument(_ bytes: UnsafeRawBufferPointer) throws {
    guard (document?.count ?? 0) + bytes.count <= ResetDocument.byteLimit else {
      throw context.error(.unsupportedFormat("the answer 410 is too long"))
    }
    document?.append(contentsOf: bytes)
  }

  private func reset(_ document: [UInt8]) throws -> ResetDocument {
    do throws(StreamHeadError) {
      return try ResetDocument(parsing: document)
    } catch {
      // Servers say 410 of what was there once, too.
      if case .member("type") = error.reason {
        throw context.error(.notFound(url: endpoint.textWithoutQuery))
      }
      if case .malformed = error.reason {
        throw context.error(.notFound(url: endpoint.textWithoutQuery))
      }
      throw context.error(.unsupportedFormat("the answer 410: \(error)"))
    }
  }
}
