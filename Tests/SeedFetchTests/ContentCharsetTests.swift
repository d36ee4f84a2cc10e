import SeedTransport
import Testing

@testable import SeedFetch

@Suite struct ContentCharsetTests {
  @Test(arguments: [
    ("text/csv; charset=ISO-8859-1", "ISO-8859-1"), ("text/xml;charset=\"utf-8\"", "utf-8"),
    ("text/csv; header=present; Charset = latin1 ", "latin1"),
    ("text/csv; note=\"a; charset=x\"; charset=utf-8", "utf-8"),
    ("text/csv", nil), ("text/csv; charset=", nil), ("text/csv; charset", nil),
    ("charset=utf-8", nil),
  ])
  func `the parameter is found whatever stands around it`(type: String, charset: String?) {
    var headers = HTTPHeaders()
    headers.append(HTTPField("Content-Type", type))
    #expect(ContentCharset.name(in: headers) == charset)
  }

  @Test func `no type names no encoding`() {
    #expect(ContentCharset.name(in: HTTPHeaders()) == nil)
  }
}
