import SeedModel
import Testing

@testable import SeedInput

@Suite struct XMLReaderEntityTests {
  private func outline(_ subset: String, _ root: String) throws -> String {
    try ReadDocument("<!DOCTYPE r [\(subset)]>\(root)").outline
  }

  @Test func `an entity of the document expands in texts and attributes`() throws {
    #expect(
      try outline("<!ENTITY e 'é &#38;#38; ü'>", "<r><a x='1&e;2'>3&e;4</a><a x='&e;'/></r>")
        == #"<r><a x="1é & ü2">"3é & ü4"</a><a x="é & ü"/></r>"#)
  }

  @Test func `an entity's elements come each time that it is used`() throws {
    #expect(
      try outline("<!ENTITY e '<k v=\"1\">t</k>'>", "<r>&e;<a>&e;</a>&e;</r>")
        == #"<r><k v="1">"t"</k><a><k v="1">"t"</k></a><k v="1">"t"</k></r>"#)
  }

  @Test func `entities nest`() throws {
    #expect(
      try outline("<!ENTITY a 'x'><!ENTITY b '[&a;&a;]'>", "<r><t v='&b;'>&b;</t></r>")
        == #"<r><t v="[xx]">"[xx]"</t></r>"#)
  }

  @Test func `a parameter entity may declare others`() throws {
    #expect(
      try outline("<!ENTITY % p \"<!ENTITY e 'y'>\"> %p;", "<r><t>&e;</t></r>")
        == #"<r><t>"y"</t></r>"#)
  }

  @Test func `a default of an attribute is there where it is not given`() throws {
    #expect(
      try outline(
        "<!ATTLIST a u CDATA 'm' t NMTOKENS #IMPLIED>", "<r><a/><a u='é' t=' 1  2 '/></r>")
        == #"<r><a u="m"/><a u="é" t="1 2"/></r>"#)
  }

  @Test func `brackets and quotes in the subset do not end it`() throws {
    #expect(
      try outline("<!-- ]> ' --><?p ]> \"?><!ENTITY e ']>\"'>", "<r><t>&e;</t></r>")
        == #"<r><t>"]>\""</t></r>"#)
  }

  @Test(arguments: [
    "<!DOCTYPE r SYSTEM 'r.dtd'>", "<!DOCTYPE r PUBLIC '-//x' 'http://example.com/r.dtd'>",
  ])
  func `a DTD outside is not needed`(declaration: String) throws {
    #expect(try ReadDocument(declaration + "<r a='é'/>").outline == #"<r a="é"/>"#)
    #expect(
      try ReadDocument.error(declaration + "<r a='&nope;'/>")?.reason
        == .undeclaredEntity("nope", hasExternalSubset: true))
  }

  @Test(arguments: ["<r>&nope;</r>", "<r a='&nope;'/>", "<r><a x='é &nope;'/></r>"])
  func `an undeclared entity is an error`(root: String) throws {
    let error = try #require(try ReadDocument.error(root))
    #expect(error.reason == .undeclaredEntity("nope", hasExternalSubset: false))
    #expect(error.location.column == root.unicodeScalars.prefix { $0 != "&" }.count + 1)
  }

  @Test(arguments: [
    ("<!ENTITY x SYSTEM 'file:///etc/hostname'>", "<r>&x;</r>"),
    ("<!ENTITY x SYSTEM 'file:///etc/hostname'>", "<r a='&x;'/>"),
    ("<!ENTITY x SYSTEM 'x.txt'><!ENTITY y '&x;'>", "<r>&y;</r>"),
    ("<!ENTITY % x SYSTEM 'http://127.0.0.1/x'> %x;", "<r/>"),
  ])
  func `an entity outside is refused`(subset: String, root: String) throws {
    let error = try ReadDocument.error("<!DOCTYPE r [\(subset)]>\(root)")
    #expect(error?.reason == .externalEntity("x"))
  }

  @Test func `entities that expand far beyond the document are refused`() throws {
    var subset = "<!ENTITY e0 'ha'>"
    for level in 1...9 {
      subset += "<!ENTITY e\(level) '\(String(repeating: "&e\(level - 1);", count: 10))'>"
    }
    for root in ["<r>&e9;</r>", "<r a='&e9;'/>"] {
      #expect(
        try ReadDocument.error("<!DOCTYPE r [\(subset)]>\(root)")?.reason == .entityExpansion)
    }
    #expect(
      try ReadDocument.error("<!DOCTYPE r [\(subset)<!ATTLIST r a CDATA '&e9;'>]><r/>")?.reason
        == .entityExpansion)
  }

  @Test func `a dictionary of entities that are used often is read`() throws {
    let subset = (0..<100).map { "<!ENTITY e\($0) 'the meaning of \($0)'>" }.joined()
    let rows = (0..<20_000).map { "<row pos='&e\($0 % 100);'>&e\($0 % 7);</row>" }.joined()
    let read = try ReadDocument("<!DOCTYPE r [\(subset)]><r>\(rows)</r>")
    #expect(read.events.count == 2 + 4 * 20_000)
    #expect(read.events[read.events.count - 4] == .field("pos", "the meaning of 99"))
  }

  @Test(arguments: [
    ("<!ENTITY a '<x>'>", "the element \"x\" is not closed"),
    ("<!ENTITY a '</r>'>", "a start tag is missing"),
    ("<!ENTITY a '&#60;x y=1/>'>", "the value of an attribute is not in quotes"),
    ("<!ENTITY a '&b;'><!ENTITY b '&a;'>", "it refers to itself"),
  ])
  func `what is wrong in an entity's text is said at its reference`(
    subset: String, detail: String
  ) throws {
    let error = try #require(try ReadDocument.error("<!DOCTYPE r [\(subset)]>\n<r>\n é &a;</r>"))
    #expect("\(error)" == "the text of the entity \"a\" is not well-formed: \(detail)")
    #expect(error.location == .init(file: "test.xml", line: 3, column: 4))
  }
}
