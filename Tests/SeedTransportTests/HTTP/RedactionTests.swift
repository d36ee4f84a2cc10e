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
}
