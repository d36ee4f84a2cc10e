import Testing

@testable import SeedCommand

@Suite struct NameMarkupTests {
  @Test(arguments: [
    ("location_id", "<code>location_<wbr>id</code>"), ("name", "<code>name</code>"),
    ("_a__b_", "<code>_<wbr>a_<wbr>_<wbr>b_<wbr></code>"), ("", "<code></code>"),
    ("<b>_c", "<code>&lt;b&gt;_<wbr>c</code>"),
  ])
  func `a name may be broken behind its underscores only`(name: String, markup: String) {
    #expect(NameMarkup.code(name).text == markup)
  }

  @Test func `a word that is wider than a telephone may be broken anywhere`() {
    let word = String(repeating: "w", count: 28)
    #expect(NameMarkup.code(word + "_" + word).text.hasPrefix("<code>w"))
    #expect(NameMarkup.code(word + "w").text.hasPrefix("<code class=\"long\">w"))
  }
}
