package import SeedModel

extension JSONDecoding {
  /// Decodes a text, as an answer without an envelope is decoded: for files of a test or a preview.
  ///
  /// - Throws: ``RequestError`` with the reason `notJSON` or `decoding`.
  public func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, from text: [UInt8]
  ) throws(RequestError) -> Value {
    let url = HTTPURL(scheme: .https, host: "localhost", port: 443, path: "/", query: nil)
    let head = HTTPHead(status: 200, headers: HTTPHeaders(), url: url)
    let reading = AnswerReading<Value>(request: HTTPRequest(url), envelope: nil, decoding: self)
    return try reading.answer(head, text).value
  }
}

/// Makes a typed value of an answer's bytes.
internal struct AnswerReading<Response: Decodable & Sendable> {
  let request: HTTPRequest
  let envelope: AnswerEnvelope?
  let decoding: JSONDecoding

  /// - Throws: ``RequestError``.
  func answer(_ head: HTTPHead, _ body: [UInt8]) throws(RequestError) -> JSONAnswer<Response> {
    guard (200..<300).contains(head.status) else {
      throw error(.status(head.status, message: message(in: body)))
    }
    let document: LocatedJSON
    if body.isEmpty, [204, 205].contains(head.status) {
      document = LocatedJSON(.null, at: SourceLocation(file: ""))
      let value = try decode(document, below: [])
      return answer(value, document, isWrapped: false)
    }
    document = try parse(body)
    guard let envelope else {
      return answer(try decode(document, below: []), document, isWrapped: false)
    }
    let value = try decode(open(document, envelope), below: [envelope.data].compactMap(\.self))
    return answer(value, document, isWrapped: true)
  }

  private func answer(
    _ value: Response, _ document: LocatedJSON, isWrapped: Bool
  ) -> JSONAnswer<Response> {
    let last = request.url.path.split(separator: "/").last ?? ""
    return JSONAnswer(
      value: value, document: document, envelope: isWrapped ? envelope : nil,
      name: String(decoding: Percent.decode(last), as: UTF8.self), url: request.shownURL)
  }

  private func error(_ reason: RequestError.Reason) -> RequestError {
    RequestError(reason, url: request.shownURL)
  }

  // MARK: JSON

  private func parse(_ body: [UInt8]) throws(RequestError) -> LocatedJSON {
    do throws(JSONError) {
      return try LocatedJSON(answer: body)
    } catch {
      throw self.error(
        .notJSON(
          byteOffset: SourceText.byteOffset(of: error.location, in: body),
          request.redaction.shown(error.reason.answerMessage)))
    }
  }

  private func decode(_ json: LocatedJSON, below path: [String]) throws(RequestError) -> Response {
    do {
      return try ValueDecoder.decode(
        Response.self, from: json, at: path.map { JSONKey($0) }, decoding)
    } catch let failure as DecodingError {
      throw error(failure.reason)
    } catch {
      // What a type's own `init(from:)` throws.
      throw self.error(.decoding(codingPath: path.joined(separator: "."), "\(error)"))
    }
  }

  // MARK: Envelope

  /// The data in an envelope.
  ///
  /// - Throws: ``RequestError`` when the envelope says that there are none.
  private func open(
    _ document: LocatedJSON, _ envelope: AnswerEnvelope
  ) throws(RequestError) -> LocatedJSON {
    guard case .object = document.value else {
      throw error(
        .decoding(codingPath: "", "\(document.kindName) in place of the envelope, an object"))
    }
    if let name = envelope.success {
      guard let success = document[name] else {
        throw error(.decoding(codingPath: name, "the envelope has no \"\(name)\""))
      }
      guard success.saysTrue else { throw error(.refused(message: message(in: document))) }
    }
    guard let name = envelope.data else { return document }
    return document[name] ?? LocatedJSON(.null, at: document.location)
  }

  /// What the envelope says about a failure; nil if it says nothing.
  private func message(in document: LocatedJSON) -> String? {
    guard let name = envelope?.message, case .string(let text)? = document[name]?.value,
      !text.isEmpty
    else { return nil }
    return request.redaction.shown(text)
  }

  /// The same of an answer that need not be JSON.
  private func message(in body: [UInt8]) -> String? {
    guard envelope?.message != nil,
      case .success(let document) = Result(catching: { try LocatedJSON(answer: body) })
    else { return nil }
    return message(in: document)
  }
}

extension LocatedJSON {
  /// How deep the values of an answer may be nested: each level takes some of a thread's stack.
  package static let answerDepthLimit = 128

  /// Reads an answer, whose numbers keep the text that they are written as.
  ///
  /// - Throws: ``JSONError``.
  package init(answer bytes: [UInt8]) throws(JSONError) {
    var parser = LocatedJSONParser(try SourceText(bytes, file: ""))
    parser.keepsLiterals = true
    parser.depthLimit = Self.answerDepthLimit
    self = try parser.parse()
    if let repetition = parser.repetitions.first { throw repetition }
  }

  /// Whether a value says yes: `true`, or what builds take for it, `"true"`, `1` and `"1"`.
  fileprivate var saysTrue: Bool {
    switch value {
    case .bool(let value): value
    case .integer(let value): value == 1
    case .number(let value): value == 1
    case .string(let text): text == "true" || text == "1"
    case .null, .array, .object: false
    }
  }
}

extension JSONError.Reason {
  /// The message, of an answer and not of a file.
  fileprivate var answerMessage: String {
    let end = "the end of the file"
    switch self {
    case .empty: return "it is empty"
    case .notUTF8(nil): return "it is not in UTF-8"
    case .unexpected(end, let expected):
      return "found its end in place of \(expected)"
    case .unexpected(let found, end): return "found \(found) behind its end"
    default: return message
    }
  }
}

extension DecodingError {
  /// What the error means for an app.
  fileprivate var reason: RequestError.Reason {
    switch self {
    case .keyNotFound(let key, let context):
      .decoding(
        codingPath: (context.codingPath + [key]).pathText, "there is no \"\(key.stringValue)\"")
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      .decoding(codingPath: context.codingPath.pathText, context.debugDescription)
    @unknown default: .decoding(codingPath: "", "\(self)")
    }
  }
}

extension [any CodingKey] {
  /// The path as people write it: `data.notes[3].title`.
  fileprivate var pathText: String {
    reduce(into: "") { text, key in
      if let index = key.intValue, key is JSONKey {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : "." + key.stringValue
      }
    }
  }
}
