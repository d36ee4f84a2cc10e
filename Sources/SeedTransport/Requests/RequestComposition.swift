/// Makes the HTTP requests of one server.
internal struct RequestComposition: Sendable {
  private let base: HTTPURL
  private let options: NetworkOptions

  /// - Throws: ``RequestError`` when the address is none.
  init(baseURL: String, options: NetworkOptions) throws(RequestError) {
    // Whatever stands before an @ may be a password, also where the rest is no address.
    let shown = baseURL.lastIndex(of: "@").map { "…" + baseURL[$0...] } ?? baseURL
    let parsed: (url: HTTPURL, userInformation: String?)
    do throws(HTTPURL.Problem) {
      parsed = try HTTPURL.parse(baseURL)
    } catch {
      throw RequestError(TransportError(.invalidURL(error), url: shown))
    }
    guard parsed.userInformation == nil else {
      throw RequestError(.invalidRequest("the address has a user in it"), url: shown)
    }
    guard parsed.url.query == nil else {
      throw RequestError(.invalidRequest("the address has a query in it"), url: shown)
    }
    base = parsed.url
    self.options = options
  }

  /// The address of a request as errors show it before there is a request.
  func shownURL(of request: some JSONRequest) -> String {
    (try? url(of: request.path).text) ?? base.text
  }

  /// The request as it is sent.
  ///
  /// - Throws: ``RequestError`` when it cannot be sent as it is.
  func request(
    for source: some JSONRequest, token: String?
  ) throws(RequestError) -> HTTPRequest {
    var url = try url(of: source.path)
    let body = try body(of: source, url)
    for item in source.query.items { url.addQuery(item.name, item.value) }
    var headers = HTTPHeaders([HTTPField("Accept", "application/json")])
    let secret = Set(options.secretHeaders.map { $0.lowercased() })
    let named = options.headers.merging(source.headers) { $1 }
    for (name, value) in named.sorted(by: { $0.key < $1.key }) {
      headers.remove(name)
      headers.append(HTTPField(name, value, isSecret: secret.contains(name.lowercased())))
    }
    if let body { headers["Content-Type"] = body.contentType }
    if let token {
      headers.remove(options.tokenHeader)
      headers.append(HTTPField(options.tokenHeader, options.tokenPrefix + token, isSecret: true))
    }
    let secrets = headers.fields.filter(\.isConfidential).map(\.value) + [token].compactMap(\.self)
    var request = HTTPRequest(url, headers: headers, redaction: Redaction(secrets))
    request.method = source.method.rawValue
    request.body = body?.bytes
    request.limits.connectTimeout = options.connectTimeout
    request.limits.stallTimeout = options.stallTimeout
    request.limits.bodyByteCount = options.largestAnswerByteCount
    for field in headers.fields where !field.isValid {
      throw RequestError(request.error(.invalidHeader(field.name)))
    }
    return request
  }

  private func body(of source: some JSONRequest, _ url: HTTPURL) throws(RequestError)
    -> RequestBody?
  {
    let body: RequestBody?
    do {
      body = try source.body
    } catch {
      throw RequestError(.invalidRequest("its body cannot be written: \(error)"), url: url.text)
    }
    guard body == nil || source.method != .get else {
      throw RequestError(.invalidRequest("a GET has no body"), url: url.text)
    }
    return body
  }

  /// The address of a path below the server's.
  ///
  /// A path that leads out of there may come from data, and would take the token along.
  private func url(of path: String) throws(RequestError) -> HTTPURL {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(".."), !parts.contains("."),
      !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
    else {
      throw RequestError(
        .invalidRequest("its path is no path below the address"), url: base.text)
    }
    let below = parts.map { Percent.encodeSegment($0) }.joined(separator: "/")
    var url = base
    guard !below.isEmpty else { return url }
    if !url.path.hasSuffix("/") { url.path += "/" }
    url.path += below.drop { $0 == "/" }
    return url
  }
}

extension Percent {
  /// One part of a path in which what cannot stand there is encoded.
  ///
  /// Percent signs are, too: a path is plain text here.
  fileprivate static func encodeSegment(_ text: Substring) -> String {
    encode(text.utf8) { byte in
      HTTPURL.isLetter(byte) || HTTPURL.isDigit(byte) || "-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
  }
}
