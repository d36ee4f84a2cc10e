import Testing

@testable import SeedTransport

@Suite struct HTTPValueTests {
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `the three forms of a date are read`(text: String) {
    #expect(HTTPDate.seconds(text) == 784_111_777)
  }

  @Test(arguments: [
    "", "tomorrow", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
  ])
  func `what is no date is none`(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }

  @Test func `the range of an answer is read with and without its total`() {
    #expect(ContentRange("bytes 5-9/10")?.bytes == 5...9)
    #expect(ContentRange("bytes 5-9/10")?.total == 10)
    #expect(ContentRange("Bytes 0-0/*")?.bytes == 0...0)
    #expect(ContentRange("bytes */7")?.total == 7)
  }

  @Test(arguments: [
    "", "bytes", "items 0-1/2", "bytes 5-4/10", "bytes 0-10/10", "bytes -5/10", "bytes */*",
    "bytes 0-9", "bytes 0-9/1x", "bytes 0-99999999999999999999/*",
  ])
  func `a range that makes no sense is none`(text: String) {
    #expect(ContentRange(text) == nil)
  }

  @Test(
    arguments: [
      ("<b>; rel=next", "b"),
      ("<a>; rel=\"prev\", <b?x=1,2>; title=\"a;,\\\"b\"; rel=\"last Next\"", "b?x=1,2"),
      ("<a>; rel=prev", nil), ("<a>; anchor=\"#x\"; rel=next", nil), ("<a; rel=next", nil),
      ("<a>; rel=last; rel=next", nil), ("", nil), ("<a>;REL=NEXT", "a"),
    ] as [(String, String?)])
  func `the next page is found in a link`(value: String, reference: String?) {
    #expect(LinkHeader.next(in: HTTPHeaders([HTTPField("link", value)])) == reference)
  }

  @Test func `the case of a header's name does not matter`() {
    var headers = HTTPHeaders([HTTPField("ETag", "1"), HTTPField("etag", "2")])
    #expect(headers["eTAG"] == "1")
    headers["ETAG"] = "3"
    #expect(headers.values(of: "etag") == ["3"])
  }

  @Test func `a header that would be two lines cannot be sent`() {
    #expect(!HTTPField("X", "a\r\nY: b").isValid)
    #expect(!HTTPField("X Y", "a").isValid)
    #expect(!HTTPField("", "a").isValid)
    #expect(HTTPField("X-Y", "a\tü").isValid)
  }

  @Test func `only a strong validator makes an answer resumable`() {
    func validator(_ fields: (String, String)...) -> Validator? {
      Validator(HTTPHeaders(fields.map { HTTPField($0.0, $0.1) }))
    }
    let (early, late) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT")
    #expect(validator(("ETag", "\"a\"")) == .entityTag("\"a\""))
    #expect(validator(("ETag", "W/\"a\"")) == nil)
    #expect(validator(("ETag", "W/\"a\""), ("Last-Modified", early), ("Date", late)) == nil)
    #expect(validator(("Last-Modified", early), ("Date", late)) == .lastModified(early))
    #expect(validator(("Last-Modified", early), ("Date", early)) == nil)
    #expect(validator(("Last-Modified", early)) == nil)
  }
}
