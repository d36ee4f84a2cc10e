import Foundation
import TestSupport
import Testing

@testable import SeedCommand

/// Opens pages in a browser, as their readers do.
@Suite(
  .enabled(
    if: InstalledProgram.isExpected(Chromium.executable),
    "Chromium is not installed here (on Debian: apt-get install chromium)"))
struct PageBrowserTests {
  static let samples: [(name: String, sql: String)] = [
    ("a few tables", PageDatabase.orders), ("hostile names", PageDatabase.hostile),
    ("one table", "CREATE TABLE Event(id INTEGER PRIMARY KEY); INSERT INTO Event VALUES (7)"),
    ("thirty tables", PageDatabase.tables(30)), ("a list", PageDatabase.tables(61)),
    ("no table", "PRAGMA user_version = 1; VACUUM"),
  ]

  @Test(arguments: samples.indices, [false, true])
  func `a page has no fault on a telephone and on a desk, in the light and in the dark`(
    index: Int, isDark: Bool
  ) throws {
    let database = try PageDatabase(Self.samples[index].sql)
    try database.directory.write(
      "{\"inputs\": [{\"name\": \"a.xml\", \"sha256\": \"\(String(repeating: "0ab", count: 21))\"}]}",
      to: "sample.sqlite.manifest.json")
    try database.directory.write(try database.page(), to: "page.html")
    let audit = try Chromium.audit(
      page: "page.html", in: database.directory, widths: [390, 1440], isDark: isDark)
    #expect(audit.console == [])
    #expect(audit.frames.map(\.width) == [390, 1440])
    for frame in audit.frames {
      #expect(frame.isDark == isDark)
      #expect(frame.problems == [], "\(Self.samples[index].name), \(frame.width) px")
    }
  }

  @Test func `the audit sees what is wrong`() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      <!DOCTYPE html><html><head>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
      <style>h1 { color: #888 }</style></head><body><h2 id="a">x</h2><h4 id="a">y</h4>
      <p><font color="#aaaaaa">pale</font> <a href="#none">z</a></p>
      <table width="2000"><tr><th>wide</th></tr></table></body></html>
      """, to: "page.html")
    let audit = try Chromium.audit(
      page: "page.html", in: directory, widths: [390], isDark: false)
    #expect(audit.console.contains { $0.contains("Content Security Policy") })
    let problems = try #require(audit.frames.first).problems.joined(separator: "\n")
    for word in [
      "overflows", "no style", "one h1", "skips", "no scope", "twice", "leads nowhere", "contrast",
    ] {
      #expect(problems.contains(word), "\(word)")
    }
  }
}
