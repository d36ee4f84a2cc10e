import Testing

@testable import SeedCommand

@Suite struct HTMLTests {
  @Test func `interpolated texts are escaped and literals are not`() {
    let text = "</b>&\"'"
    let markup: HTML = "<b title=\"\(text)\">\(text)</b>"
    #expect(
      markup.text == "<b title=\"&lt;/b&gt;&amp;&quot;&#39;\">&lt;/b&gt;&amp;&quot;&#39;</b>")
  }

  @Test func `markup in markup and numbers stay as they are`() {
    let inner: HTML = "<i>\("<")</i>"
    #expect(("<p>\(inner)\(7)</p>" as HTML).text == "<p><i>&lt;</i>7</p>")
  }

  @Test func `control characters and marks of direction become visible`() {
    #expect(
      ("\("a\0\u{1B}\u{202E}\u{2066}\n\tb")" as HTML).text
        == "a\\u{0}\\u{1b}\\u{202e}\\u{2066}\\n\\tb")
  }

  @Test func `a text of several lines keeps line breaks and tabs and nothing else`() {
    #expect(HTML(lines: "a <\n\tb\r\n\u{202E}").text == "a &lt;\n\tb\\r\n\\u{202e}")
  }

  @Test func `pieces are joined`() {
    #expect((["<a>", "<b>"] as [HTML]).joined(separator: ", ").text == "<a>, <b>")
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `base 64 is that of RFC 4648`(text: String, encoded: String) {
    #expect(PageStyle.base64(Array(text.utf8)) == encoded)
  }
}
