internal import SeedFiles
internal import SeedFormat
internal import SeedModel
internal import SeedTransport

/// Asks a server for the head of a stream.
internal struct HeadRequest {
  internal var url: HTTPURL
  internal var keys: [[UInt8]]
  internal var context: StreamContext

  /// An answer as it came.
  private struct Answer {
    var head: HTTPHead
    var body: [UInt8] = []
  }

  /// Where the head is, without secrets: its address, or its path in a folder.
  private var place: String {
    (context.transport as? DirectoryTransport)?.path(of: url) ?? url.textWithoutQuery
  }

  /// The newest head.
  ///
  /// - Parameter isBypassingCaches: Whether caches on the way are to ask the server itself.
  /// - Returns: The head.
  /// - Throws: ``StreamError``, ``SeedTransport/TransportError``, ``SeedFiles/FileError``.
  internal func run(isBypassingCaches: Bool) throws -> StreamHead {
    try context.attempts.repeating {
      let stored =
        isBypassingCaches
        ? nil : try StoredHead.read(from: context.cache, url: StoredHead.key(of: url))
      if let stored {
        let answer = try ask(isBypassingCaches: false, stored: stored)
        if answer.head.status != 304 { return try take(answer) }
        // An answer about another version than ours says nothing about ours.
        if Self.isSame(answer.head.headers["ETag"] ?? stored.entityTag, stored.entityTag) {
          do {
            return try head(in: stored.body)
          } catch is StreamHeadError {
            // The cache holds something that is no head any more.
          }
        }
        return try take(try ask(isBypassingCaches: true, stored: nil))
      }
      return try take(try ask(isBypassingCaches: isBypassingCaches, stored: nil))
    }
  }

  /// Whether two tags name the same version, weak or strong.
  private static func isSame(_ first: String, _ second: String) -> Bool {
    func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
    return opaque(first) == opaque(second)
  }

  private func ask(isBypassingCaches: Bool, stored: StoredHead?) throws -> Answer {
    var fields = [HTTPField("Accept", "application/json")]
    if let stored { fields.append(HTTPField("If-None-Match", stored.entityTag)) }
    if isBypassingCaches { fields.append(HTTPField("Cache-Control", "no-cache")) }
    var answer: Answer?
    var limits = context.limits
    limits.bodyByteCount = Int64(StreamHead.byteLimit)
    try context.perform(
      url, headers: fields, limits: limits,
      onHead: { head in
        switch head.status {
        case 200: break
        case 304 where stored != nil: break
        case 404, 410:
          throw context.error(.notFound(url: place))
        default:
          throw TransportError(
            .status(head.status, retryAfter: RetryAfter.delay(in: head.headers)),
            url: url.textWithoutQuery)
        }
        answer = Answer(head: head)
      },
      onBody: { bytes in
        guard (answer?.body.count ?? 0) + bytes.count <= StreamHead.byteLimit else {
          throw context.error(
            .unsupportedFormat("the head is longer than \(StreamHead.byteLimit) bytes"))
        }
        answer?.body += bytes
      })
    guard let answer else {
      throw TransportError(.cut(received: 0, expected: nil), url: url.textWithoutQuery)
    }
    return answer
  }

  /// Reads a head that came whole, and keeps it.
  private func take(_ answer: Answer) throws -> StreamHead {
    let head: StreamHead
    let body: [UInt8]
    do {
      body = try unpacked(answer)
      if Self.isWebPage(body) { throw context.error(.webPage(url: place)) }
      head = try self.head(in: body)
    } catch let error as StreamHeadError {
      // What ends with the connection may have been cut off without anybody's noticing.
      if case .malformed = error.reason, answer.head.contentLength == nil, !answer.head.isChunked {
        throw TransportError(
          .cut(received: Int64(answer.body.count), expected: nil), url: url.textWithoutQuery)
      }
      guard case .malformed = error.reason else {
        throw context.error(.unsupportedFormat(error.description))
      }
      throw context.error(
        .unsupportedFormat("\(error.description), at \(place)"))
    }
    if let tag = answer.head.headers["ETag"], answer.head.status == 200 {
      try StoredHead(url: StoredHead.key(of: url), entityTag: tag, body: body).write(
        to: context.cache)
    }
    return head
  }

  /// Whether what came is markup: neither a head nor what is left of one begins so.
  private static func isWebPage(_ body: [UInt8]) -> Bool {
    let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
    return text.first { ![0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) } == UInt8(ascii: "<")
  }

  private func head(in body: [UInt8]) throws -> StreamHead {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: body)
    } catch {
      throw StreamHeadError(.malformed("\(error)"))
    }
    guard let payload = try SignedHead.payload(of: document, keys: keys) else {
      throw context.error(.signatureInvalid)
    }
    let head = try StreamHead(json: payload)
    guard head.stream == context.stream else {
      throw context.error(
        .unsupportedFormat("the head is that of the stream \"\(head.stream)\""))
    }
    return head
  }

  /// The body without the coding that a server may give a head, the only file that is not ranged.
  private func unpacked(_ answer: Answer) throws -> [UInt8] {
    let codings = answer.head.contentCodings
    guard !codings.isEmpty else { return answer.body }
    guard codings == ["gzip"] || codings == ["x-gzip"] else {
      throw context.error(.contentTransformed(header: "Content-Encoding: \(codings[0])"))
    }
    guard
      let body = GzipInflation.inflate(answer.body, limit: StreamHead.byteLimit)
    else { throw StreamHeadError(.malformed("the gzip data is damaged or cut off")) }
    return body
  }
}

extension GzipInflation {
  /// The content of one whole member; nil when it is damaged, cut off, longer than the limit, or not
  /// all there is.
  internal static func inflate(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    let inflation = GzipInflation()
    var result: [UInt8] = []
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { room.deallocate() }
    return bytes.withUnsafeBytes { packed in
      var rest = packed[...]
      while true {
        let (taken, given, state) = inflation.inflate(
          UnsafeRawBufferPointer(rebasing: rest), into: room)
        rest = rest.dropFirst(taken)
        result += room[..<given]
        guard result.count <= limit else { return nil }
        switch state {
        case .damaged: return nil
        case .ended: return rest.isEmpty ? result : nil
        case .unfinished: if taken == 0, given == 0 { return nil }
        }
      }
    }
  }
}
