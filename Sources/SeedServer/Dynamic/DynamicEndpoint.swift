internal import SeedFiles
internal import SeedModel
internal import SeedStreams

/// Answers by the dynamic protocol from the files of published streams.
internal struct DynamicEndpoint: Sendable {
  private let directory: String
  private let options: ServerOptions
  private let files: FileSystem

  internal init(directory: String, options: ServerOptions, files: FileSystem) {
    self.directory = directory
    self.options = options
    self.files = files
  }

  /// The answer to `/v1/streams/NAME?…`.
  internal func answer(
    to request: ServerRequest, _ target: RequestTarget, from client: any ServedClient
  ) -> ServerAnswer {
    do {
      let folder = "\(target.parts[2])/\(target.parts[0])"
      let stream = PublishedStream(folder: "\(directory)/\(folder)", files: files)
      let query = try StreamQuery(target)
      guard let published = try newestHead(query, stream, client) else {
        return .problem(404, title: "No such stream")
      }
      let base = Self.base(request, folder)
      return try answer(query, stream, published, base: base)
    } catch let error as StreamQuery.Problem {
      return .problem(400, title: "Bad request", detail: error.detail)
    } catch {
      // A publisher may be at work; what is damaged stays so, and the log tells.
      return .problem(
        503, title: "The stream cannot be read", detail: Self.detail(of: error),
        headers: [("Retry-After", "1")])
    }
  }

  /// The head, after a wait if the client has all that it leads to.
  private func newestHead(
    _ query: StreamQuery, _ stream: PublishedStream, _ client: any ServedClient
  ) throws -> PublishedHead? {
    let version = try stream.version()
    let published = try stream.head()
    let wait = min(query.wait, options.longestWait)
    guard published?.head.position == query.position, wait > .zero else { return published }
    var hasChanged = false
    try client.wait(wait) {
      hasChanged = try stream.version() != version
      return hasChanged
    }
    return hasChanged ? try stream.head() : published
  }

  private func answer(
    _ query: StreamQuery, _ stream: PublishedStream, _ published: PublishedHead, base: String
  ) throws -> ServerAnswer {
    let head = published.head
    let position = query.position
    guard position.epoch == head.position.epoch, position.seq <= head.position.seq else {
      return reset(.lineage, published, base: base)
    }
    if position.seq == head.position.seq {
      guard position.id == head.position.id else {
        return reset(.lineage, published, base: base)
      }
      return feed(
        CheckpointFeed(
          stream, published, from: position, segment: nil, pageByteCount: options.pageByteCount))
    }
    if let resumed = try resume(query, stream, published) { return feed(resumed) }
    guard let entry = published.segment(after: position.seq) else {
      return reset(.retention, published, base: base)
    }
    let segment = try OpenSegment(entry.sha256, of: stream, head)
    guard segment.id(at: position.seq) == position.id else {
      return reset(.lineage, published, base: base)
    }
    // Only the head tells a client which of the columns that it does not know to pass over.
    let isOther = query.schema.map { $0 != SchemaDigest.compute(head.tables) } ?? false
    if options.redirectsToFiles || isOther, let way = published.way(from: position.seq) {
      return redirect(way, published, base: base)
    }
    return feed(
      CheckpointFeed(
        stream, published, from: position, segment: segment, pageByteCount: options.pageByteCount))
  }

  /// The rest of an answer that broke off; nil if the cursor does not lead anywhere.
  private func resume(
    _ query: StreamQuery, _ stream: PublishedStream, _ published: PublishedHead
  ) throws -> CheckpointFeed? {
    guard let cursor = query.cursor.flatMap(PageCursor.init) else { return nil }
    do {
      // Also a segment that the head does not list any more, as long as it is there.
      var segment = try OpenSegment(cursor.sha256, of: stream, published.head)
      guard segment.to > query.position.seq,
        segment.id(at: query.position.seq) == query.position.id,
        try segment.skip(to: cursor.offset)
      else { return nil }
      return CheckpointFeed(
        stream, published, from: query.position, segment: segment, resumed: cursor,
        pageByteCount: options.pageByteCount)
    } catch let error as FileError where error.isMissing {
      return nil
    } catch is StoredLines.Damaged {
      return nil
    }
  }

  private func feed(_ feed: CheckpointFeed) -> ServerAnswer {
    ServerAnswer(
      200, [("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-cache")], body: feed)
  }

  /// Sends the client to the static files for the way to the head.
  private func redirect(
    _ way: [JSONValue], _ published: PublishedHead, base: String
  ) -> ServerAnswer {
    let line = JSONValue.object([
      .init("segments", .array(way)), .init("base", .string(base)),
      .init("schema", published.document["schema"] ?? .object([])),
    ]).line
    return ServerAnswer(
      200, [("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-cache")],
      body: BytesBody(line))
  }

  /// Has the client start from a snapshot.
  ///
  /// Besides the snapshot the document tells the newest position and the segments that lead there:
  /// a client whose position is beyond the snapshot gets past its own that way.
  private func reset(
    _ reason: ResetReason, _ published: PublishedHead, base: String
  ) -> ServerAnswer {
    let head = published.head
    var members: [JSONValue.Member] = [
      .init("reason", .string(reason.rawValue)), .init("epoch", .integer(head.position.epoch)),
      .init("seq", .integer(head.position.seq)), .init("id", .string(head.position.id)),
      .init("base", .string(base)), .init("schema", published.document["schema"] ?? .object([])),
    ]
    if let snapshot = head.snapshot {
      members.append(
        .init(
          "snapshot",
          [
            "url": .string("\(base)/\(StreamLayout.object(snapshot.sha256))"),
            "sha256": .string(snapshot.sha256), "size": .integer(snapshot.size),
            "plain_size": .integer(snapshot.plainSize), "seq": .integer(snapshot.seq),
            "id": .string(snapshot.id), "encoding": "gzip",
          ]))
      members.append(.init("segments", .array(published.way(from: snapshot.seq) ?? [])))
    }
    return .problem(
      410, type: "urn:seed:problem:reset", title: "Position no longer available",
      members: members)
  }

  /// The address of a stream's folder as the client reaches it.
  private static func base(_ request: ServerRequest, _ folder: String) -> String {
    let isPart = { (byte: UInt8) in
      (0x30...0x3A).contains(byte) || (0x41...0x5B).contains(byte) || byte == 0x5D
        || (0x61...0x7A).contains(byte) || "-._".utf8.contains(byte)
    }
    // A name that is none would end up in an address.
    guard let host = request.headers["host"], !host.isEmpty, host.utf8.count < 300,
      host.utf8.allSatisfy(isPart)
    else { return "/\(encoded(folder))" }
    return "http://\(host)/\(encoded(folder))"
  }

  /// A path in which all is percent-encoded that an address does not take.
  private static func encoded(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += byte < 16 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }

  private static func detail(of error: any Error) -> String {
    switch error {
    case let error as FileError: error.reason
    case let error as StoredLines.Damaged: "a segment is damaged: \(error.reason)"
    default: "its head is damaged"
    }
  }
}
