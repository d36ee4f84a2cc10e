import Testing

@testable import SeedTransport

@Suite struct HTTPURLTests {
  @Test(arguments: [
    ("https://example.com", "https://example.com/"),
    ("HTTP://Example.COM:80/a?b#c", "http://example.com/a?b"),
    ("https://example.com:8443/a/../b/./c", "https://example.com:8443/b/c"),
    ("https://example.com:/x", "https://example.com/x"),
    ("https://example.com/a b/ü?q=ä", "https://example.com/a%20b/%C3%BC?q=%C3%A4"),
    ("https://user:pa%40ss@example.com/x", "https://example.com/x"),
    ("http://[::1]:8080/x", "http://[::1]:8080/x"),
    ("https://example.com?x=1", "https://example.com/?x=1"),
    ("https://example.com\\@evil.example/", "https://example.com/%5C@evil.example/"),
  ])
  func `an address is read and written in its normal form`(text: String, normal: String) throws {
    #expect(try HTTPURL(text).text == normal)
  }

  @Test(arguments: [
    ("ftp://example.com/", HTTPURL.Problem.unsupportedScheme("ftp")),
    ("file:///etc/passwd", .unsupportedScheme("file")), ("example.com/x", .noScheme),
    ("https:/x", .noHost), ("https:///x", .noHost), ("https://exa mple.com/", .badHost),
    ("https://münchen.example/", .badHost), ("https://[::1/", .badHost),
    ("https://example.com:0/", .badPort), ("https://example.com:99999/", .badPort),
    ("https://example.com:8a/", .badPort), ("https://example.com/\r\nHost: x", .controlCharacter),
  ])
  func `what is no address is refused with its reason`(text: String, problem: HTTPURL.Problem) {
    #expect(throws: problem) { try HTTPURL(text) }
  }

  @Test func `user and password are kept apart`() throws {
    let (url, user) = try HTTPURL.parse("https://me:se%20cret@example.com/x")
    #expect(user == "me:se%20cret")
    #expect(!url.text.contains("cret"))
    #expect(BasicCredentials.headerValue("me:se%20cret") == "Basic bWU6c2UgY3JldA==")
    #expect(BasicCredentials.headerValue("ab") == "Basic YWI6")
  }

  // RFC 3986, section 5.4, as far as it is about http.
  @Test(arguments: [
    ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
    ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("", "/b/c/d;p?q"), (".", "/b/c/"),
    ("..", "/b/"), ("../g", "/b/g"), ("../../../g", "/g"), ("g;x=1/../y", "/b/c/y"),
    ("g?y/../x", "/b/c/g?y/../x"), (";x", "/b/c/;x"),
  ])
  func `a reference is read beside its base`(reference: String, path: String) throws {
    let base = try HTTPURL("http://a/b/c/d;p?q")
    #expect(try base.resolving(reference).text == "http://a" + path)
  }

  @Test func `a reference may name another host or scheme`() throws {
    let base = try HTTPURL("https://a/b?q")
    #expect(try base.resolving("//c:81/d").text == "https://c:81/d")
    #expect(try base.resolving("http://u:p@c/d").text == "http://c/d")
    #expect(throws: HTTPURL.Problem.unsupportedScheme("javascript")) {
      try base.resolving("javascript:alert(1)")
    }
  }

  @Test func `host, port and scheme make the origin`() throws {
    let url = try HTTPURL("https://example.com/x")
    #expect(url.hasSameOrigin(as: try HTTPURL("https://example.com:443/y?z")))
    for other in ["http://example.com/x", "https://example.com:444/x", "https://www.example.com/x"]
    {
      #expect(!url.hasSameOrigin(as: try HTTPURL(other)))
    }
  }

  @Test(arguments: [
    ("http://alice:PW@h/ok.json", "http://…@h/ok.json"), ("https:/alice:PW@h", "https:/…@h"),
    ("https:alice:PW@h", "https:…@h"), ("HTTPS://PW@h:1/x", "HTTPS://…@h:1/x"),
    ("http://alice:P/W@h/", "http://…@h/"), ("ftp://alice:PW@h", "ftp://…@h"),
    (
      "the source \"http://a:PW@h\" and \"http://b:PW@i\"",
      "the source \"http://…@h\" and \"http://…@i\""
    ),
    ("http://alice:P@W@h/", "http://…@h/"),
  ])
  func `user and password of an address in a text are not shown`(text: String, shown: String) {
    #expect(HTTPURL.withoutCredentials(text) == shown)
  }

  @Test(arguments: [
    "https://h/@scope/pkg", "http://h:8080/a@b", "https://h/?to=me@h", "http://[::1]:80/a@b",
    "mail me@h: now", "a:b@c", "Events.xml:3:4: a@b",
  ])
  func `a text without such an address stays as it is`(text: String) {
    #expect(HTTPURL.withoutCredentials(text) == text)
  }
}
