import SeedModel
import Testing

@testable import SeedInput

/// The forms of XML that say more than their elements do.
@Suite struct XMLFormTests {
  private func outline(_ text: String) throws -> String { try ReadDocument(text).outline }

  private func dump(_ content: String, database: String = "d") -> String {
    """
    <?xml version="1.0"?>
    <mysqldump xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
    <database name="\(database)">
    \(content)
    </database>
    </mysqldump>
    """
  }

  @Test func `the rows of a dump are those of its tables`() throws {
    let read = try ReadDocument(
      dump(
        """
        <table_data name="t">
        <row>
          <field name="a">1</field>
          <field name="b c"></field>
        </row>
        <row>
          <field name="a" xsi:nil="true" />
          <field name="b c">x &amp; <![CDATA[<y>]]>
        z</field>
        </row>
        </table_data>
        """))
    #expect(
      read.outline
        == #"<mysqldump><{d}t a="1" b c=""/><{d}t b c="x & <y>\nz"/></mysqldump>"#)
    #expect(read.lines == [2, 5, 9])
    #expect(read.definitions.contains(.array(place: 1)))
  }

  @Test(arguments: [1, 2, 7])
  func `a dump is the same however it comes in pieces`(pieceSize: Int) throws {
    let text = dump(
      (0..<50).map {
        "<table_data name=\"t\($0 % 2)\"><row><field name=\"a\">é\($0)</field></row></table_data>"
      }.joined(separator: "\n"))
    let whole = try ReadDocument(text)
    let cut = try ReadDocument(text, pieceSize: pieceSize)
    #expect(whole.events == cut.events)
    #expect(whole.definitions == cut.definitions)
  }

  @Test func `tables of one name in two databases are told apart`() throws {
    let table = "<table_data name='t'><row><field name='a'>1</field></row></table_data>"
    let read = try ReadDocument(
      "<mysqldump><database name='d'>\(table)</database><database name='e'>\(table)</database>"
        + "</mysqldump>")
    #expect(read.outline == #"<mysqldump><{d}t a="1"/><{e}t a="1"/></mysqldump>"#)
  }

  @Test func `a structure names the columns of a table without rows`() throws {
    let read = try ReadDocument(
      dump(
        """
        <table_structure name="t">
          <field Field="a" Type="int(11)" Null="NO" Key="PRI" Extra="" Comment="" />
          <field Field="b" Type="text" Null="YES" Key="" Extra="" Comment="" />
          <key Table="t" Non_unique="0" Key_name="PRIMARY" Column_name="a" />
          <options Name="t" Engine="InnoDB" />
        </table_structure>
        <table_data name="t">
        </table_data>
        """))
    let table = QualifiedName(local: "t", prefix: "d", namespace: "d")
    #expect(
      read.definitions == [
        .place(name: QualifiedName(local: "mysqldump"), parent: nil),
        .place(name: table, parent: 0), .array(place: 1),
        .attribute(name: QualifiedName(local: "a"), place: 1),
        .attribute(name: QualifiedName(local: "b"), place: 1),
      ])
    #expect(read.outline == "<mysqldump/>")
    #expect(read.remarks.isEmpty)
  }

  @Test func `what is no table in a dump is passed over with a warning`() throws {
    let read = try ReadDocument(
      dump("<triggers name='t'><trigger Trigger='x'>SQL</trigger></triggers><triggers name='u'/>"))
    #expect(read.remarks.map(\.severity) == [.warning])
    #expect(read.remarks.first?.message.contains("\"triggers\"") == true)
    #expect(read.remarks.first?.location?.line == 4)
  }

  @Test func `the rows of a query are called after the file`() throws {
    let text =
      "<resultset statement='SELECT 1' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>"
      + "<row><field name='n'>1</field><field name='m' xsi:nil='true'/></row></resultset>"
    #expect(try outline(text) == #"<resultset statement="SELECT 1"><row n="1"/></resultset>"#)
  }

  @Test func `two fields of one name in a row are refused`() throws {
    let error = try ReadDocument.error(
      "<resultset><row><field name='n'>1</field><field name='n'>2</field></row></resultset>")
    #expect(error?.description == "the row has two fields \"n\"")
    #expect(error?.hint?.contains("AS") == true)
  }

  @Test(arguments: [
    "<resultset><x/></resultset>", "<resultset><row><x/></row></resultset>",
    "<resultset><row><field name='a'><b/></field></row></resultset>",
    "<resultset><row><field>1</field></row></resultset>",
    "<mysqldump><database><table_data name='t'><x/></table_data></database></mysqldump>",
    "<mysqldump><database><table_data><row/></table_data></database></mysqldump>",
  ])
  func `what has no place in the form is refused and not lost`(text: String) throws {
    let error = try #require(try ReadDocument.error(text))
    #expect(error.hint != nil)
    #expect(error.location.column > 0)
  }

  @Test func `the markup of a string resource is part of its text`() throws {
    #expect(
      try outline(
        """
        <resources><string name="a">Hi <b>you &amp; <i class="x&quot;&lt;">me</i></b> 1 &lt; 2<br/></string>
        <string name="b" translatable="false">Fish &amp; chips</string></resources>
        """)
        == ##"<resources><string name="a">"##
        + ##""Hi <b>you &amp; <i class=\"x&quot;&lt;\">me</i></b> 1 &lt; 2<br/>""##
        + ##"</string><string name="b" translatable="false">"Fish & chips"</string></resources>"##)
  }

  @Test func `the text before the first markup is escaped too`() throws {
    #expect(
      try outline("<resources><string name='a'>1 &lt; 2 &amp; <b>x</b></string></resources>")
        == #"<resources><string name="a">"1 &lt; 2 &amp; <b>x</b>"</string></resources>"#)
  }

  @Test func `namespaces stay in the markup`() throws {
    #expect(
      try outline(
        "<resources xmlns:x='urn:x'><string name='a'><x:g id='n' xmlns:y='urn:y' y:k='1'>%d</x:g>"
          + "</string></resources>")
        == ##"<resources><string name="a">"##
        + ##""<x:g xmlns:y=\"urn:y\" id=\"n\" y:k=\"1\">%d</x:g>"</string></resources>"##)
  }

  @Test func `the items of arrays and plurals are rows with their markup`() throws {
    let read = try ReadDocument(
      "<resources><string-array name='a'>\n<item>x<b>y</b></item>\n</string-array>"
        + "<plurals name='p'><item quantity='one'>1</item></plurals></resources>")
    #expect(
      read.outline
        == ##"<resources><string-array name="a"><item>"x<b>y</b>"</item></string-array>"##
        + ##"<plurals name="p"><item quantity="one">"1"</item></plurals></resources>"##)
    #expect(read.definitions.filter { if case .array = $0 { true } else { false } }.count == 2)
  }

  @Test func `other documents with a root called resources are what their elements say`() throws {
    let text = "<resources><item><string>a<b/></string></item><string><c>1</c></string></resources>"
    #expect(
      try outline(text)
        == ##"<resources><item><string>"a"<b/></string></item><string><c>"1"</c></string></resources>"##
    )
  }
}
