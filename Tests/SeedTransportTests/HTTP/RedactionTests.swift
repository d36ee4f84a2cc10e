import SeedTransport
import Testing

@Suite struct RedactionTests {
  private func shown(_ url: String, _ secrets: String...) throws -> String {
    Redaction(secrets).shown(try HTTPURL(url))
  }

  @Test func `a secret is masked wherever it stands in path or query`() throws {
    #expect(
      try shown("https://h/a/s3cret!/b?token=s3cret!&x=as3cret!b", "s3cret!")
        == "https://h/a/***/b?token=***&x=a***b")
  }

  @Test func `a secret is found in its percent-encoded form`() throws {
    #expect(try shown("https://h/?t=a%2Fb%20c%2Bd", "a/b c+d") == "https://h/?t=***")
    #expect(try shown("https://h/?t=a/b%20c+d", "a/b c+d") == "https://h/?t=***")
  }

  @Test func `a short secret is masked as a whole value only`() throws {
    #expect(
      try shown("http://127.0.0.1:8001/1/x1?k=1&l=11", "1")
        == "http://127.0.0.1:8001/***/x1?k=***&l=11")
  }

  @Test func `of two secrets the longer one is masked first`() throws {
    #expect(try shown("https://h/?a=secret-long", "secret", "secret-long") == "https://h/?a=***")
  }

  @Test func `without secrets an address is shown as it is`() throws {
    #expect(try shown("https://h/?a=b") == "https://h/?a=b")
    #expect(try shown("https://h/?a=b", "") == "https://h/?a=b")
  }

  @Test(arguments: [
    ("https://h/?a=b&c", "https://h/?a=b&c"), ("https://h/?page=2&a=b", "https://h/?page=2&a=b"),
    ("https://cdn/f?X-Amz-Signature=0a1b2c", "https://cdn/f?X-Amz-Signature=…"),
    ("https://h/?a=b&token=xyz", "https://h/?a=b&token=…"), ("https://h/?xyz", "https://h/?…"),
    ("https://h/?a=other", "https://h/?a=…"), ("https://h/?code=1234567890", "https://h/?code=…"),
    ("https://h/?k=s3cret!", "https://h/?k=***"), ("https://h/?after=", "https://h/?after="),
  ])
  func `a value that only a server has put into a query is not shown`(
    url: String, shown: String
  ) throws {
    let redaction = Redaction(["s3cret!"], ownQuery: "a=b&c")
    #expect(redaction.shown(try HTTPURL(url)) == shown)
    #expect(redaction.shown(url) == shown)
    // What is kept to go on from is whole.
    #expect(redaction.withoutSecrets(url) == url.replacing("s3cret!", with: "***"))
  }
}
