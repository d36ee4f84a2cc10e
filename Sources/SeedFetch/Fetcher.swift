package import SeedFiles
package import SeedTransport

/// Gets the documents of sources into local files.
package struct Fetcher {
  private let transport: any HTTPTransport
  private let options: FetchOptions
  private let cache: FetchCache

  /// A fetcher over a transport.
  package init(
    _ transport: any HTTPTransport, options: FetchOptions, files: FileSystem = .live
  ) {
    self.transport = transport
    self.options = options
    cache = FetchCache(options.cacheDirectory, files: files)
  }

  /// Fetches all pages of some sources.
  ///
  /// What can be told without a server is checked of all of them before anything is sent.
  /// - Throws: ``FetchError``.
  package func fetch(_ sources: [FetchSource]) throws(FetchError) -> [FetchedSource] {
    var requests: [HTTPRequest] = []
    for source in sources { requests.append(try request(for: source)) }
    if let lock = options.lock {
      for request in requests where lock.sources[request.shownURL] == nil {
        throw FetchError(.notLocked, place: request.shownURL)
      }
    }
    var fetched: [FetchedSource] = []
    for (index, request) in requests.enumerated() {
      let locked = lockedPages(of: index, amongst: requests)
      let source = sources[index]
      if options.isOffline,
        let cached = try cachedSource(request, locked, acceptsWebPages: source.isFormatDeclared)
      {
        fetched.append(cached)
      } else {
        fetched.append(try fetch(source, request, locked ?? []))
      }
    }
    try options.lock?.check(fetched)
    return fetched
  }

  /// What the lock has about one of the requests, whose addresses may be the same.
  private func lockedPages(of index: Int, amongst requests: [HTTPRequest]) -> [FetchLock.Page]? {
    let url = requests[index].shownURL
    return (options.lock ?? options.recorded)?.pages(
      of: url, number: requests[..<index].count { $0.shownURL == url },
      amongst: requests.count { $0.shownURL == url })
  }

  /// The locked documents from the cache, whatever was fetched since; nil if they do not bind and
  /// the cache lacks one.
  ///
  /// If the server did not say where they end, that was told when they were fetched.
  private func cachedSource(
    _ request: HTTPRequest, _ locked: [FetchLock.Page]?, acceptsWebPages: Bool
  ) throws(FetchError) -> FetchedSource? {
    guard let locked else { return nil }
    var pages: [FetchedPage] = []
    for page in locked {
      guard try cache.hasDocument(page.sha256, byteCount: page.byteCount) else {
        if options.lock == nil { return nil }
        throw FetchError(.lockedNotCached, place: page.url)
      }
      if !acceptsWebPages, try cache.isWebPage(page.sha256) {
        throw FetchError(.webPage(requested: page.url), place: page.url)
      }
      var fetched = FetchedPage(
        path: cache.objectPath(page.sha256), displayName: page.url, sha256: page.sha256,
        byteCount: page.byteCount)
      fetched.charset = page.charset
      pages.append(fetched)
    }
    return FetchedSource(displayName: request.shownURL, pages: pages)
  }

  /// Makes a description into a request, with the secrets from the environment.
  private func request(for source: FetchSource) throws(FetchError) -> HTTPRequest {
    var secrets: [String] = []
    var headers = HTTPHeaders()
    var (url, user) = try Self.parse(source.url)
    do throws(FetchError) {
      if let user {
        secrets.append(user)
        headers.append(
          HTTPField("Authorization", BasicCredentials.headerValue(user), isSecret: true))
      }
      for field in source.headers {
        let value = try field.value.resolved(options.environment, secrets: &secrets)
        headers.append(HTTPField(field.name, value, isSecret: field.value.isSecret))
      }
      for field in source.query {
        url.addQuery(
          field.name, try field.value.resolved(options.environment, secrets: &secrets))
      }
    } catch {
      throw FetchError(error.reason, place: Redaction(secrets).shown(url))
    }
    secrets += headers.fields.filter(\.isConfidential).map(\.value)
    var request = HTTPRequest(
      url, headers: headers, redaction: Redaction(secrets, ownQuery: url.query ?? ""))
    request.limits = options.limits
    for field in headers.fields where !field.isValid {
      throw FetchError(
        .transport(request.error(.invalidHeader(field.name))), place: request.shownURL)
    }
    return request
  }

  private static func parse(
    _ text: String
  ) throws(FetchError) -> (HTTPURL, String?) {
    do throws(HTTPURL.Problem) {
      let parsed = try HTTPURL.parse(text)
      return (parsed.url, parsed.userInformation)
    } catch {
      let shown = HTTPURL.shown(text)
      throw FetchError(.transport(TransportError(.invalidURL(error), url: shown)), place: shown)
    }
  }

  /// Follows the pages from the first one.
  private func fetch(
    _ source: FetchSource, _ first: HTTPRequest, _ locked: [FetchLock.Page]
  ) throws(FetchError) -> FetchedSource {
    let pageLimit = source.pageLimit ?? options.pageLimit
    var pages: [FetchedPage] = []
    var seen: Set<HTTPURL> = []
    var next: HTTPRequest? = first
    while let request = next {
      guard seen.insert(request.url).inserted else {
        throw FetchError(.pageLoop(request.shownURL), place: first.shownURL)
      }
      guard pages.count < pageLimit else {
        throw FetchError(.tooManyPages(pageLimit), place: first.shownURL)
      }
      var fetch = PageFetch(request, transport: transport, options: options, cache: cache)
      fetch.locked = pages.count < locked.count ? locked[pages.count] : nil
      fetch.acceptsWebPages = source.isFormatDeclared
      let (page, nextURL) = try fetch.run()
      pages.append(page)
      next = nextURL.map { url in
        var following = request
        following.url = url
        // Credentials are for the server that they were given for.
        if !url.hasSameOrigin(as: first.url) { following.headers.removeConfidential() }
        return following
      }
    }
    return FetchedSource(displayName: first.shownURL, pages: pages)
  }
}
