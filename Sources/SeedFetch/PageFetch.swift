internal import SeedFiles
internal import SeedTransport

/// Gets one page: from the server, or from the cache if that is current or all there is.
internal struct PageFetch {
  private let request: HTTPRequest
  private let transport: any HTTPTransport
  private let options: FetchOptions
  private let cache: FetchCache
  private let key: String
  /// What the lock has about the page.
  internal var locked: FetchLock.Page?
  /// Whether a web page is as good as any document.
  internal var acceptsWebPages = false

  internal init(
    _ request: HTTPRequest, transport: any HTTPTransport, options: FetchOptions, cache: FetchCache
  ) {
    self.request = request
    self.transport = transport
    self.options = options
    self.cache = cache
    key = FetchCache.key(of: request)
  }

  /// The page, and the address of the next one.
  internal func run() throws(FetchError) -> (page: FetchedPage, next: HTTPURL?) {
    let entry = try cache.entry(key)
    if options.isOffline {
      guard let entry else { throw FetchError(.notCached, place: request.shownURL) }
      return (try page(entry), try next(entry.nextPage, after: request.url))
    }
    do {
      return try download(entry)
    } catch let error as FetchError {
      throw error
    } catch let error as TransportError {
      throw FetchError(.transport(error), place: error.url)
    } catch let error as FileError {
      throw FetchError(.cache(error), place: error.path)
    } catch {
      // Nothing that a transport of ours throws.
      throw FetchError(
        .transport(request.error(.malformed("\(type(of: error))"))), place: request.shownURL)
    }
  }

  private func download(
    _ known: CacheEntry?
  ) throws -> (page: FetchedPage, next: HTTPURL?) {
    var request = request
    // The address of a next page that holds a secret is not kept, so the answer has to say it anew.
    if let known, known.isConditional, known.nextPage?.contains(Redaction.mask) != true {
      request.headers["If-None-Match"] = known.entityTag
      if known.entityTag == nil { request.headers["If-Modified-Since"] = known.lastModified }
    }
    let part = try cache.part(key)
    var state = part.byteCount > 0 ? try cache.state(of: part) : DownloadState()
    var download = ResumableDownload(transport, policy: options.retry, clock: options.clock)
    download.byteLimit = options.limits.bodyByteCount
    // A packed document is unpacked by whoever reads it, whichever way it came to be packed.
    download.acceptedCodings = ["gzip", "x-gzip"]
    download.cancellation = options.cancellation
    download.onCutWait = options.onCutWait
    download.onState = { state in
      // Without its state a part is not resumed, so no secret need be written. What an earlier run
      // wrote about other bytes must not stay in any case.
      let isClean = state.nextPage.map { request.redaction.withoutSecrets($0) == $0 } ?? true
      try cache.write(isClean ? state : DownloadState(), of: part)
    }
    let outcome: ResumableDownload.Outcome
    do {
      outcome = try download.run(request, to: part, state: &state)
    } catch {
      try cache.dropIfEmpty(part)
      throw error
    }
    switch outcome {
    case .notModified(let head):
      try cache.dropIfEmpty(part)
      guard let known else { throw request.error(.status(head.status, retryAfter: nil)) }
      let next = LinkHeader.next(in: head.headers) ?? known.nextPage
      return (try page(known, from: head), try self.next(next, after: head.url))
    case .complete(let head, let isLengthKnown):
      let next = try next(state.nextPage, after: head.url)
      let entry = CacheEntry(
        url: request.shownURL, digest: try cache.keep(part), head: head,
        nextPage: next.map { request.redaction.withoutSecrets($0).text },
        isLengthKnown: isLengthKnown)
      let page = try page(entry, from: head)
      if isForLaterBuilds(page, in: known) { try cache.write(entry, for: key) }
      return (page, next)
    }
  }

  /// Whether builds without the network are to take a page from now on.
  private func isForLaterBuilds(_ page: FetchedPage, in known: CacheEntry?) -> Bool {
    if options.lock != nil {
      return locked?.sha256 == page.sha256 && locked?.byteCount == page.byteCount
    }
    return !options.isTrial || known == nil || known?.sha256 == page.sha256
  }

  /// A document as a page, unless it is a web page that nobody declared to be the data.
  private func page(
    _ entry: CacheEntry, from head: HTTPHead? = nil
  ) throws(FetchError) -> FetchedPage {
    var page = FetchedPage(
      path: cache.objectPath(entry.sha256), displayName: request.shownURL, sha256: entry.sha256,
      byteCount: entry.byteCount, isLengthKnown: entry.isLengthKnown)
    // What the lock binds is read as it was when that was written.
    page.charset = options.lock == nil ? entry.charset : locked?.charset
    guard !acceptsWebPages else { return page }
    let address = head.map { request.redaction.shown($0.url) } ?? request.shownURL
    if try cache.isWebPage(entry.sha256) {
      throw FetchError(.webPage(requested: request.shownURL), place: address)
    }
    // Scripts that do not care send this type with any data, so it is no proof.
    if let head, WebPage.isDeclared(head.headers) { page.webPageAddress = address }
    return page
  }

  /// The address that a page's link means.
  private func next(_ reference: String?, after url: HTTPURL) throws(FetchError) -> HTTPURL? {
    guard let reference else { return nil }
    let shown = request.redaction.shown(reference)
    let refusal: TransportError.RedirectRefusal
    do throws(HTTPURL.Problem) {
      let next = try url.resolving(reference)
      if url.scheme == .http || next.scheme == .https { return next }
      refusal = .insecure
    } catch {
      refusal = .notAnAddress
    }
    throw FetchError(
      .transport(request.error(.redirectRefused(refusal, location: shown))),
      place: request.shownURL)
  }
}
