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
    for request in requests { fetched.append(try fetch(request)) }
    try options.lock?.check(fetched)
    return fetched
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
    var request = HTTPRequest(url, headers: headers, redaction: Redaction(secrets))
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
      // Whatever stands before an @ may be a password, also where the rest is no address.
      let shown = text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
      throw FetchError(.transport(TransportError(.invalidURL(error), url: shown)), place: shown)
    }
  }

  /// Follows the pages from the first one.
  private func fetch(_ first: HTTPRequest) throws(FetchError) -> FetchedSource {
    var pages: [FetchedPage] = []
    var seen: Set<HTTPURL> = []
    var next: HTTPRequest? = first
    while let request = next {
      guard seen.insert(request.url).inserted else {
        throw FetchError(.pageLoop(request.shownURL), place: first.shownURL)
      }
      guard pages.count < options.pageLimit else {
        throw FetchError(.tooManyPages(options.pageLimit), place: first.shownURL)
      }
      let fetch = PageFetch(request, transport: transport, options: options, cache: cache)
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
