import SeedBuilder
import SeedFiles
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

@Suite struct DatabasePageTests {
  @Test func `the page may load and run nothing`() throws {
    let page = try PageDatabase(PageDatabase.orders).page()
    #expect(page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "))
    for word in ["<script", "<link", "<img", "<iframe", "http:", "https:", "url(", "@import"] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test func `the policy names the digest of the style sheet in the page`() throws {
    let page = try PageDatabase(PageDatabase.orders).page()
    let sheet = try #require(page.firstMatch(of: /<style>((?s).*?)<\/style>/)?.output.1)
    var digest = SHA256Digest()
    Array(sheet.utf8).withUnsafeBytes { digest.update($0) }
    #expect(page.contains("style-src 'sha256-\(PageStyle.base64(digest.finalize()))'"))
    // Under this policy a style attribute would have no effect.
    #expect(!page.contains("style=\""))
  }

  @Test func `the header has the file's name and its figures`() throws {
    let page = try PageDatabase(PageDatabase.orders).page()
    #expect(page.contains("<h1>sample.sqlite</h1>"))
    #expect(page.contains("<dt>Size</dt><dd>16 KB</dd>"))
    #expect(page.contains("<dt>Tables</dt><dd>2</dd>"))
    #expect(page.contains("<dt>Rows</dt><dd>5</dd>"))
    #expect(page.contains("<dt>Views</dt><dd>1</dd>"))
  }

  @Test func `the same database in another place gives the same page`() throws {
    let first = try PageDatabase(PageDatabase.orders)
    let second = try PageDatabase(PageDatabase.orders)
    #expect(try first.page() == second.page())
    #expect(try !first.page().contains(first.directory.path))
  }

  @Test func `NULL, its name, an empty text and a blob differ`() throws {
    let page = try PageDatabase(
      "CREATE TABLE a(b, c, d, e); INSERT INTO a VALUES (NULL, 'NULL', '', x'00')"
    ).page()
    let cells = [
      "<td class=\"value\"><i>NULL</i></td>", "<td class=\"value\">NULL</td>",
      "<td class=\"value\"><i>empty</i></td>", "<td class=\"value\"><i>BLOB, 1 B</i></td>",
    ]
    #expect(page.contains(cells.joined()))
  }

  @Test func `a line break in a value differs from a backslash with a letter`() throws {
    let page = try PageDatabase(
      "CREATE TABLE a(b); INSERT INTO a VALUES ('x' || char(13, 10) || 'y\\r\\n' || char(10, 9, 27))"
    ).page()
    #expect(
      page.contains(
        """
        <td class="value">x<i class="sign">↵</i>y\\r\\n<i class="sign">↵</i>\
        <i class="sign">⇥</i><i>\\u{1b}</i></td>
        """))
  }

  @Test func `a carriage return without a line feed stays what it is`() throws {
    let page = try PageDatabase(
      "CREATE TABLE a(b, c); INSERT INTO a VALUES ('x' || char(13) || 'y', 'z' || char(13))"
    ).page()
    #expect(page.contains("<td class=\"value\">x<i>\\r</i>y</td><td class=\"value\">z<i>\\r</i>"))
  }

  @Test func `the stamp says what it is`() throws {
    let page = try PageDatabase(
      """
      CREATE TABLE _seed(format INTEGER NOT NULL, name TEXT NOT NULL, version TEXT,
        content_sha256 TEXT NOT NULL, tool TEXT NOT NULL, inputs_sha256 TEXT);
      INSERT INTO _seed VALUES (1, 'trips', '1.4', 'abc', 'seed 0.1.0', NULL);
      """
    ).page()
    #expect(
      page.contains(
        """
        <dt>Stamp</dt><dd>name <code>trips</code>, version <code>1.4</code>, \
        built by seed 0.1.0</dd>
        """))
  }

  @Test func `tables without references stand below a line that the caption explains`() throws {
    let page = try PageDatabase(PageDatabase.orders + "CREATE TABLE alone(a);").page()
    #expect(page.contains("<path class=\"rule\""))
    #expect(page.contains("Below the line stand tables without references."))
    #expect(try !PageDatabase(PageDatabase.orders).page().contains("Below the line"))
  }

  @Test func `a cut text shows how much there is`() throws {
    let page = try PageDatabase(PageDatabase.orders).page()
    #expect(page.contains("A long note. A <i>… 260 B</i></td>"))
  }

  @Test func `columns show type, key, default and what they refer to`() throws {
    let page = try PageDatabase(PageDatabase.orders).page()
    #expect(
      page.contains(
        """
        <tr><th scope="row"><code>order_<wbr>id</code></th><td><code>INTEGER</code></td>\
        <td>not null</td>\
        <td>→ <a href="#table-1"><code>order</code></a> (<code>id</code>), on delete cascade</td>
        """))
    #expect(page.contains("<span class=\"soft\">default <code>&#39;x&#39;</code></span>"))
    #expect(page.contains("<td>not null</td><td>primary key</td>"))
    #expect(page.contains("<code>price</code></th><td><code>REAL</code></td><td>nullable</td>"))
  }

  @Test func `a reference to a table that is not there says so`() throws {
    let page = try PageDatabase("CREATE TABLE a(b REFERENCES nowhere)").page()
    #expect(page.contains("→ <code>nowhere</code>, which does not exist"))
  }

  @Test func `tables are found as SQLite finds them, whatever their case`() throws {
    let page = try PageDatabase(
      "CREATE TABLE Parent(ID INTEGER PRIMARY KEY); CREATE TABLE a(b REFERENCES PARENT(id))"
    ).page()
    #expect(page.contains("<title>a.b → PARENT.id</title>"))
    #expect(!page.contains("which does not exist"))
  }

  @Test func `views and triggers come with their SQL`() throws {
    let page = try PageDatabase(PageDatabase.orders).page()
    #expect(
      page.contains("<pre>CREATE VIEW dear AS SELECT * FROM item\n  WHERE price &gt; 100</pre>"))
    #expect(page.contains("<code>keep</code> <span class=\"soft\">on <code>order</code></span>"))
  }

  @Test func `names and values cannot break out of their places`() throws {
    let page = try PageDatabase(PageDatabase.hostile, name: "a<b>\"c.sqlite").page()
    #expect(page.contains("<h1>a&lt;b&gt;&quot;c.sqlite</h1>"))
    for word in [
      "<script", "<img", "onclick=\"", "onload=\"", "\u{202E}", "\u{1B}", "</td></table>",
    ] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.split(separator: "</style>", omittingEmptySubsequences: false).count == 2)
    #expect(page.split(separator: "</title>", omittingEmptySubsequences: false).count == 2 + 1)
  }

  @Test func `sixty tables are drawn and one more is a list that says so`() throws {
    #expect(try PageDatabase(PageDatabase.tables(60)).page().contains("aria-label=\"60 tables,"))
    let list = try PageDatabase(PageDatabase.tables(61)).page()
    #expect(!list.contains("class=\"diagram"))
    #expect(list.contains("61 tables with 122 references are too many for a diagram"))
  }

  @Test func `a wide table shows its keys and says how much is missing`() throws {
    let columns = (1...40).map { "c\($0)" }.joined(separator: ", ")
    let page = try PageDatabase(
      "CREATE TABLE a(\(columns), id INTEGER PRIMARY KEY, up REFERENCES a)"
    ).page()
    #expect(page.contains(">29 more columns</text>"))
    #expect(page.contains(">up</text>"))
  }

  @Test func `the inputs of a manifest are listed`() throws {
    let database = try PageDatabase(PageDatabase.orders)
    #expect(try !database.page().contains("<h3>Inputs</h3>"))
    try database.directory.write(
      "{\"inputs\": [{\"name\": \"<a>.xml\", \"sha256\": \"0ab1\", \"bytes\": 2048}]}",
      to: "sample.sqlite.manifest.json")
    #expect(
      try database.page().contains(
        """
        <tr><th scope="row"><code>&lt;a&gt;.xml</code></th><td class="number">2 KB</td>\
        <td><code>0ab1</code></td></tr>
        """))
  }

  @Test func `an empty database has a page, too`() throws {
    let page = try PageDatabase("PRAGMA user_version = 1; VACUUM").page()
    #expect(page.contains("<dt>Tables</dt><dd>0</dd>"))
    #expect(page.hasSuffix("</html>\n"))
  }
}
