internal import SeedModel

/// What is sent with a request.
public struct RequestBody: Sendable, Hashable {
  /// The bytes.
  public var bytes: [UInt8]
  /// The media type, sent as `Content-Type`.
  public var contentType: String

  /// A body from its bytes.
  public init(_ bytes: [UInt8], contentType: String) {
    self.bytes = bytes
    self.contentType = contentType
  }

  /// A value as JSON.
  ///
  /// Members keep the order in which the value encodes them. Dates are written as they encode
  /// themselves, a number of seconds since 2001; give a text where the server wants one.
  /// - Throws: `EncodingError` for what JSON has no form for, such as a number that is not finite.
  public static func json(_ value: some Encodable) throws -> RequestBody {
    let json = try ValueEncoder.encode(value, at: [])
    return RequestBody(Array(json.text.utf8), contentType: "application/json")
  }

  /// Names and values as HTML forms send them.
  public static func form(_ fields: RequestQuery) -> RequestBody {
    let pairs = fields.items.map { Percent.encode($0.name) + "=" + Percent.encode($0.value) }
    return RequestBody(
      Array(pairs.joined(separator: "&").utf8), contentType: "application/x-www-form-urlencoded")
  }
}
