import SeedModel
import Testing

@testable import SeedInput

@Suite struct XMLReaderNamespaceTests {
  @Test func `names carry their namespaces`() throws {
    let read = try ReadDocument("<r xmlns='u' xmlns:p='v'><p:a p:x='1' x='2'/><b xmlns=''/></r>")
    #expect(read.outline == #"<{u}r><{v}a {v}x="1" x="2"/><b/></{u}r>"#)
    #expect(
      read.definitions[1]
        == .place(name: QualifiedName(local: "a", prefix: "p", namespace: "v"), parent: 0))
  }

  @Test func `the same name with another prefix is the same place`() throws {
    let read = try ReadDocument(
      "<r xmlns:p='u' xmlns:q='u'><p:a p:x='1'/><q:a q:x='2'/><a xmlns='u'/></r>")
    #expect(read.definitions.count == 3)
    #expect(read.outline == #"<r><{u}a {u}x="1"/><{u}a {u}x="2"/><{u}a/></r>"#)
  }

  @Test func `a long namespace, or one beyond ASCII, does not disturb the values after it`() throws
  {
    let long = "http://www.w3.org/2001/XMLSchema-instance/and/some/more"
    let text =
      "<r xmlns:p='\(long)' p:x='é' xmlns = \"urn:é\"\txmlns:q\n=\n'ü'><a q:y='ß' z='\(long)'/></r>"
    for pieceSize in [1, 5, .max] {
      let read = try ReadDocument(text, pieceSize: pieceSize)
      #expect(
        read.outline
          == #"<{urn:é}r {\#(long)}x="é"><{urn:é}a {ü}y="ß" z="\#(long)"/></{urn:é}r>"#)
    }
  }

  @Test func `a name that starts like a declaration is an attribute`() throws {
    let read = try ReadDocument("<r xmlnsx='é' xml='ü' xml:lang='é'/>")
    #expect(
      read.outline
        == #"<r xmlnsx="é" xml="ü" {http://www.w3.org/XML/1998/namespace}lang="é"/>"#)
  }

  @Test func `an undeclared prefix is kept and told once, at its tag`() throws {
    let read = try ReadDocument("<r>\n  <a/><p:a x='é' q:y='1'/>\n<p:a/></r>")
    #expect(read.outline == #"<r><a/><p:a x="é" q:y="1"/><p:a/></r>"#)
    #expect(read.undeclaredPrefixes.map(\.prefix).sorted() == ["p", "q"])
    #expect(read.undeclaredPrefixes[0].location == .init(file: "test.xml", line: 2, column: 7))
  }

  @Test func `many undeclared prefixes are told only so often`() throws {
    let elements = (0..<100).map { "<p\($0):a/>" }.joined()
    #expect(try ReadDocument("<r>\(elements)</r>").undeclaredPrefixes.count == 20)
  }

  @Test(arguments: ["not a uri", "relative", "a b:c", "::"])
  func `a namespace need not be a good URI`(namespace: String) throws {
    let read = try ReadDocument("<r xmlns:p='\(namespace)'><p:a/></r>")
    #expect(read.outline == "<r><{\(namespace)}a/></r>")
  }

  @Test(arguments: [
    ("<r xmlns:p=''/>", "the prefix \"p\" is declared with an empty namespace"),
    (
      "<r xmlns:xml='urn:x'/>",
      "the prefixes \"xml\" and \"xmlns\" and their namespaces cannot be declared anew"
    ),
    ("<a:b:c/>", "a name has a \":\" in the wrong place"),
    (
      "<r xmlns:a='u' xmlns:b='u' a:y='1' b:y='2'/>",
      "the attribute \"y\" of the namespace \"u\" is given twice"
    ),
    ("<r xmlns:a='u' xmlns:a='v'/>", "the attribute \"xmlns:a\" is given twice"),
  ])
  func `a declaration that contradicts the standard is refused`(
    text: String, message: String
  ) throws {
    #expect(try ReadDocument.error(text)?.description == message)
  }
}
