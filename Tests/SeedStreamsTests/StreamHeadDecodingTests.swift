import SeedModel
import SeedStreams
import Testing

@Suite struct StreamHeadDecodingTests {
  private static let digest = String(repeating: "0a", count: 32)
  private static let schema =
    #"{"t":{"key":["a"],"columns":{"a":"INTEGER","b":"TEXT"},"more":1}}"#
  private static let text = """
    {"format":1,"stream":"s","epoch":5,"seq":9,"id":"x","time":"t","poll_after":60,"unknown":[1],
    "schema":\(schema),
    "snapshot":{"seq":4,"id":"y","sha256":"\(digest)","size":10,"plain_size":20,"encoding":"gzip"},
    "segments":[{"from":4,"to":9,"sha256":"\(digest)","size":1,"plain_size":2,"rows":3}]}
    """

  private func problem(_ text: String) -> String? {
    do throws(StreamHeadError) {
      _ = try StreamHead(parsing: Array(text.utf8))
      return nil
    } catch {
      return error.description
    }
  }

  private func problem(replacing old: String, with new: String) -> String? {
    #expect(Self.text.contains(old))
    return problem(Self.text.replacing(old, with: new))
  }

  @Test func `a head is read, unknown members are passed over`() throws {
    let head = try StreamHead(parsing: Array(Self.text.utf8))
    #expect(head.position == StreamPosition(epoch: 5, seq: 9, id: "x"))
    #expect(head.pollAfterSeconds == 60)
    #expect(head.tables[0].columns.map(\.affinity) == ["INTEGER", "TEXT"])
    #expect(head.snapshot?.plainSize == 20)
    #expect(head.segments.map(\.to) == [9])
    #expect(try StreamHead(parsing: PublishedHistory.json(of: head)).segments == head.segments)
  }

  @Test func `what is missing or wrong is named`() {
    #expect(problem(replacing: "\"format\":1", with: "\"format\":2") == "the head is of format 2")
    let digest = Self.digest
    let cases = [
      ("\"epoch\":5", "\"epoch\":5.5", "epoch"), ("\"seq\":9", "\"seq\":\"9\"", "seq"),
      ("\"id\":\"x\"", "\"id\":\"\"", "id"), ("\"stream\":\"s\"", "\"stream\":1", "stream"),
      ("\"to\":9", "\"to\":10", "segments[0].to"), ("\"to\":9", "\"to\":4", "segments[0].to"),
      ("\"size\":1,", "\"size\":-1,", "segments[0].size"),
      ("\"plain_size\":2,", "\"plain_size\":3096,", "segments[0].plain_size"),
      ("\"plain_size\":20,", "\"plain_size\":11353,", "snapshot.plain_size"),
      ("\"size\":10,", "\"size\":9223372036854775807,", "snapshot.size"),
      ("\"size\":1,", "\"size\":281474976710656,", "segments[0].size"),
      (Self.schema, "{}", "schema"), (Self.schema, "[]", "schema"),
      ("\"seq\":4", "\"seq\":10", "snapshot.seq"),
      ("\"gzip\"", "\"zstd\"", "snapshot.encoding"),
      ("\"key\":[\"a\"]", "\"key\":[\"c\"]", "schema.t.key"),
      ("\"key\":[\"a\"]", "\"key\":[]", "schema.t.key"),
      ("\"TEXT\"", "\"VARCHAR\"", "schema.t.columns.b"),
      (
        "\"\(digest)\",\"size\":1,", "\"../../../../etc/passwd\",\"size\":1,", "segments[0].sha256"
      ),
      (
        "\"\(digest)\",\"size\":1,", "\"\(digest.uppercased())\",\"size\":1,", "segments[0].sha256"
      ),
      ("\"\(digest)\",\"size\":1,", "\"\(digest)a\",\"size\":1,", "segments[0].sha256"),
    ]
    for (old, new, place) in cases {
      #expect(
        problem(replacing: old, with: new) == "\"\(place)\" in the head is missing or malformed")
    }
    #expect(problem("{")?.hasPrefix("the head is no JSON") == true)
    #expect(problem("[]") == "\"format\" in the head is missing or malformed")
  }

  @Test func `a head is signed by one of the keys, or it is none`() throws {
    // The key of RFC 8037, appendix A, and its signature over the payload below.
    let key = Self.bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    let document = try JSONValue(parsing: Array(Self.signed.utf8))
    let payload = try #require(try SignedHead.payload(of: document, keys: [key]))
    #expect(payload["stream"] == "s")
    #expect(try SignedHead.payload(of: document, keys: []) == payload)
    var other = key
    other[0] ^= 1
    #expect(try SignedHead.payload(of: document, keys: [other]) == JSONValue?.none)
    #expect(try SignedHead.payload(of: document, keys: [other, key]) == payload)
    #expect(try SignedHead.payload(of: payload, keys: [key]) == JSONValue?.none)
    for (old, new) in [
      ("eyJzdHJlYW0iOiJzIn0", "eyJzdHJlYW0iOiJ0In0"),
      ("eyJhbGciOiJFZERTQSJ9", "eyJhbGciOiJub25lIn0"),
    ] {
      let forged = try JSONValue(parsing: Array(Self.signed.replacing(old, with: new).utf8))
      #expect(try SignedHead.payload(of: forged, keys: [key]) == JSONValue?.none)
    }
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    stride(from: 0, to: digits.count, by: 2).compactMap { offset in
      UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
    }
  }

  /// `{"stream":"s"}`.
  private static let signed = """
    {"payload":"eyJzdHJlYW0iOiJzIn0","protected":"eyJhbGciOiJFZERTQSJ9","signature":"NuJz2CzeFHjipPHbwS6K6SAqkzf37joFD547eN5MiBQZRxt_38AgWBaYM_6oqPNzY82W32fZsAS1ymtr4FK_DQ"}
    """
}
