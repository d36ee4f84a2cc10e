import SeedModel
import Testing

@testable import SeedCommand

@Suite struct DiagnosticRendererTests {
  private func text(_ diagnostic: Diagnostic) -> String {
    DiagnosticRenderer(usesColor: false).text(for: diagnostic)
  }

  @Test func `place, message, source line, caret and hint come in the order of compilers`() {
    let diagnostic = Diagnostic(
      .error, "\"31.02.2010\" is not a date",
      at: SourceLocation(file: "Events.xml", line: 41, column: 9),
      excerpt: SourceExcerpt(text: "<Event a=\"31.02.2010\"/>", caretOffset: 10),
      hint: "correct the value")
    #expect(
      text(diagnostic) == """
        Events.xml:41:9: error: "31.02.2010" is not a date
        <Event a="31.02.2010"/>
                  ^
        hint: correct the value

        """)
  }

  @Test(arguments: [
    (Diagnostic.Severity.error, "seed: error: m\n"), (.warning, "seed: warning: m\n"),
    (.note, "seed: note: m\n"),
  ])
  func `a message without a place is the tool's`(severity: Diagnostic.Severity, line: String) {
    #expect(text(Diagnostic(severity, "m")) == line)
  }

  @Test(arguments: [
    ("\t\ta", 2, "\t\t"), ("a\tb", 2, " \t"), ("漢字x", 2, "    "), ("e\u{301}x", 2, " "),
    ("\u{1B}x", 1, "      "), ("ab", 0, ""), ("ab", 2, "  "), ("ab", 99, "  "), ("ab", -1, ""),
    ("😀x", 1, "  "),
  ])
  func `the caret stands below its character`(line: String, offset: Int, indentation: String) {
    let diagnostic = Diagnostic(
      .error, "m", excerpt: SourceExcerpt(text: line, caretOffset: offset))
    #expect(text(diagnostic).split(separator: "\n").last == "\(indentation)^")
  }

  @Test func `no password of an address is shown, wherever it was given`() {
    let address = "http://alice:5ecret@h/a"
    let diagnostic = Diagnostic(
      .error, "\"\(address)\" is not there", at: SourceLocation(file: address),
      excerpt: SourceExcerpt(text: "{\"url\": \"\(address)\", x}", caretOffset: 35),
      hint: "see \(address)")
    #expect(
      text(diagnostic) == """
        http://…@h/a: error: "http://…@h/a" is not there
        {"url": "http://…@h/a", x}
                                ^
        hint: see http://…@h/a

        """)
  }

  @Test func `nothing of an input reaches the terminal as a command`() {
    let hostile = "a\u{1B}[2J\u{9B}31m\r\n\u{7}\u{202E}b"
    let diagnostic = Diagnostic(
      .error, hostile, at: SourceLocation(file: hostile, line: 1, column: 1),
      excerpt: SourceExcerpt(text: hostile, caretOffset: 0), hint: hostile)
    let text = text(diagnostic)
    let unsafe: (Unicode.Scalar) -> Bool = {
      ($0.value < 32 && $0 != "\n") || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E
    }
    #expect(!text.unicodeScalars.contains(where: unsafe))
    #expect(text.split(separator: "\n").count == 4)
    #expect(text.contains("a\\u{1b}[2J\\u{9b}31m\\r\\n\\u{7}\\u{202e}b"))
  }

  @Test func `colours frame the parts and change no text`() {
    let diagnostic = Diagnostic(
      .warning, "m", at: SourceLocation(file: "f", line: 1),
      excerpt: SourceExcerpt(text: "x", caretOffset: 0), hint: "h")
    let colored = DiagnosticRenderer(usesColor: true).text(for: diagnostic)
    #expect(colored.contains("\u{1B}[1;35mwarning:\u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == text(diagnostic))
  }
}
