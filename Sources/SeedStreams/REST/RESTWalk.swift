internal import SeedFiles
internal import SeedModel
internal import SeedSQLite
internal import SeedTransport

/// One walk through the pages of an API.
internal final class RESTWalk {
  private let adapter: RESTAdapter
  private let first: String
  private let state: StreamState
  private let pages: VerifiedPages
  private let context: StreamContext
  private var rows: Int64
  private var cursor: String?
  private var visited: Set<String> = []
  internal private(set) var pollAfter: Duration?

  /// A walk that goes on behind the pages that are there.
  internal init(
    _ adapter: RESTAdapter, from first: String, _ state: StreamState, pages: VerifiedPages,
    _ context: StreamContext
  ) {
    self.adapter = adapter
    self.first = first
    self.state = state
    self.pages = pages
    self.context = context
    rows = pages.last?.rows ?? 0
    cursor = state.cursor
  }

  /// Whether there is something to be applied.
  internal var hasChanges: Bool { rows > 0 || cursor != state.cursor }

  /// Where a walk goes on behind a page: what a page's mark keeps.
  private struct Place {
    var next: String?
    var cursor: String?

    init(next: String?, cursor: String?) {
      self.next = next
      self.cursor = cursor
    }

    init?(_ text: String) {
      let json: JSONValue
      do throws(JSONError) {
        json = try JSONValue(parsing: Array(text.utf8))
      } catch {
        return nil
      }
      next = json["next"]?.stringValue
      cursor = json["cursor"]?.stringValue
    }

    var text: String {
      var bytes: [UInt8] = []
      JSONBytes.append(["next": .string(next), "cursor": .string(cursor)], to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Fetches page after page until there is no next one.
  internal func run() throws {
    var next: String? = first
    if let last = pages.last {
      if let place = Place(last.cursor) {
        next = place.next
        cursor = place.cursor
      } else {
        try pages.removeAll()
        rows = 0
      }
    }
    while let address = next {
      guard visited.insert(address).inserted, visited.count <= adapter.pageLimit else {
        throw context.error(.unsupportedFormat("the pages lead in a circle at \(shown(address))"))
      }
      let url = try url(address)
      let page = try fetch(url)
      let content = try read(page)
      if let cursor = content.cursor { self.cursor = cursor }
      pollAfter = content.pollAfter ?? pollAfter
      next = try content.next.map { try resolve($0, url).text }
      try keep(content, next: next)
    }
  }

  /// An address without what may be a secret.
  private func shown(_ address: String) -> String { HTTPURL.shown(address) }

  private func url(_ address: String) throws -> HTTPURL {
    do throws(HTTPURL.Problem) {
      return try HTTPURL(address)
    } catch {
      throw context.error(
        .refused(TransportError(.invalidURL(error), url: shown(address)).description))
    }
  }

  private func resolve(_ reference: String, _ page: HTTPURL) throws -> HTTPURL {
    let url: HTTPURL
    do throws(HTTPURL.Problem) {
      url = try page.resolving(reference)
    } catch {
      throw context.error(.unsupportedFormat("the next page's address is none"))
    }
    guard page.scheme == .http || url.scheme == .https else {
      throw context.error(.refused("the next page's address is not secure"))
    }
    return url
  }

  private func fetch(_ url: HTTPURL) throws -> RESTPage {
    var limits = context.limits
    limits.bodyByteCount = Int64(adapter.pageByteLimit)
    var answer: HTTPHead?
    var body: [UInt8] = []
    try context.perform(
      url, headers: [HTTPField("Accept", adapter.accept)], limits: limits,
      onHead: { head in
        switch head.status {
        case 200: answer = head
        case 204: answer = head
        case 404, 410: throw context.error(.notFound(url: shown(url.text)))
        default:
          throw TransportError(
            .status(head.status, retryAfter: RetryAfter.delay(in: head.headers)),
            url: shown(url.text))
        }
        if let coding = head.contentCodings.first {
          throw context.error(.contentTransformed(header: "Content-Encoding: \(coding)"))
        }
        context.update { $0.phase = .downloading }
      },
      onBody: { body += $0 })
    guard let answer else {
      throw TransportError(.cut(received: 0, expected: nil), url: shown(url.text))
    }
    return RESTPage(url: answer.url.text, headers: answer.headers, body: body)
  }

  private func read(_ page: RESTPage) throws -> RESTPageContent {
    do {
      return try adapter.read(page)
    } catch {
      throw context.error(.unsupportedFormat("the adapter at \(shown(page.url)): \(error)"))
    }
  }

  /// Adds the rows of a page to those that are there.
  private func keep(_ content: RESTPageContent, next: String?) throws {
    var buffer = PageBuffer(directory: context.cache.directory, files: context.cache.files)
    var pageRows: Int64 = 0
    for change in content.changes where !change.rows.isEmpty {
      var text = SegmentText()
      text.append(
        SegmentSection(
          table: change.table, kind: change.operation == .delete ? .delete : .upsert,
          columns: change.columns))
      for row in change.rows {
        guard row.count == change.columns.count else {
          throw context.error(
            .unsupportedFormat(
              "the adapter: a row of \"\(change.table)\" has \(row.count) values for "
                + "\(change.columns.count) columns"))
        }
        try text.appendRow(row.map(\.stored))
      }
      try text.bytes.lend { (bytes) throws(FileError) in try buffer.append(bytes) }
      pageRows += text.rowCount
    }
    rows += pageRows
    try pages.append(
      buffer, rows: rows, cursor: Place(next: next, cursor: cursor).text, section: [])
    guard pageRows > 0 else { return }
    _ = context.attempts.noteProgress(
      in: "\(state.position.epoch)-\(state.position.seq)", to: pages.last?.end ?? 0)
  }

  /// Forgets the pages, so that the next walk begins with the first one.
  internal func discard() throws(FileError) { try pages.remove() }

  /// Makes a checkpoint of the pages.
  internal func close(_ slot: SpoolSlot) throws -> ClosedCheckpoint {
    let position = state.position
    var digest = SHA256Digest()
    Array(position.id.utf8).withUnsafeBytes { digest.update($0) }
    try pages.forEachPiece { digest.update($0) }
    let next = StreamPosition(
      epoch: position.epoch, seq: position.seq + 1, id: String(digest.hexadecimal().prefix(16)))
    return try ClosedCheckpoint.write(
      slot, pages, PageBuffer(directory: context.cache.directory, files: context.cache.files),
      to: next, rows: rows, cursor: cursor)
  }
}

extension StreamValue {
  /// The value as SQLite stores it; a number that is none is NULL there.
  fileprivate var stored: SQLiteValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): value.isNaN ? .null : .real(value)
    case .text(let value): .text(value)
    case .blob(let value): .blob(value)
    }
  }
}
