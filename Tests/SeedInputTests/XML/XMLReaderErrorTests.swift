import SeedModel
import Testing

@testable import SeedInput

/// What is said of documents that are not well-formed.
@Suite struct XMLReaderErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var document: String
    var message: String
    var column: Int
    var testDescription: String { document }

    init(_ document: String, _ message: String, _ column: Int) {
      self.document = document
      self.message = message
      self.column = column
    }
  }

  static let tags = [
    Case(
      "<r><b>2</c></r>", "the end tag \"</c>\" does not match the start tag \"<b>\" of line 1", 8),
    Case("<r><a>", "the document ends inside the element \"a\" of line 1", 7),
    Case("<r>x", "the document ends inside the element \"r\" of line 1", 5),
    Case("<r><a", "the document ends inside a tag", 4),
    Case("<r><a x='1' y=", "the document ends inside a tag", 4),
    Case("<r><a x='1", "the document ends inside a tag", 4),
    Case("<r></r", "the document ends inside a tag or a reference", 7),
    Case("<r>&am", "the document ends inside a tag or a reference", 7),
    Case("<r><1a/></r>", "no element's name follows \"<\"", 4),
    Case("<r>1 < 2</r>", "no element's name follows \"<\"", 6),
    Case("<r><a x='1' 2/></r>", "a name is expected here", 13),
    Case("<r></ r>", "a \">\" is missing here", 7),
  ]

  static let attributes = [
    Case("<r><a x='1' y='2' x='3'/></r>", "the attribute \"x\" is given twice", 19),
    Case("<r><a p:x='1' p:x='3'/></r>", "the attribute \"p:x\" is given twice", 15),
    Case("<r><a x='x=' y=\"'x'\" x='3'/></r>", "the attribute \"x\" is given twice", 22),
    Case("<r x=1/>", "the value of an attribute is not in quotes", 6),
    Case("<r x/>", "the attribute \"x\" has no value", 5),
    Case("<r x='1<2'/>", "a \"<\" stands in the value of an attribute", 8),
    Case("<r x='1'y='2'/>", "a blank is missing here", 9),
    Case("<r x='it's'/>", "a blank is missing here", 10),
    Case("<r x='\u{2}'/>", "the character U+0002 is not allowed in XML", 7),
  ]

  static let references = [
    Case("<r>fish & chips</r>", "an \"&\" starts no reference here", 9),
    Case("<r x='& b'/>", "an \"&\" starts no reference here", 7),
    Case("<r>a&b=c</r>", "the reference \"&b\" does not end with \";\"", 5),
    Case("<r x='é&b=c'/>", "the reference \"&b\" does not end with \";\"", 8),
    Case("<r>&#1;</r>", "\"&#1;\" is no character that XML allows", 4),
    Case("<r x='&#xD800;'/>", "\"&#xD800;\" is no character that XML allows", 7),
    Case("<r>&#1114112;</r>", "\"&#1114112;\" is no character that XML allows", 4),
    Case("<r>&#;</r>", "this is no character reference", 4),
    Case("<r>&#12a;</r>", "this is no character reference", 4),
  ]

  static let others = [
    Case("", "the file is empty: an XML document needs a root element", 0),
    Case("  \t", "the document has no element, where it needs a root element", 4),
    Case("<!-- c -->", "the document has no element, where it needs a root element", 11),
    Case("plain text", "this is not XML: a \"<\" is expected", 1),
    Case("<!-- c -->text<r/>", "text stands before the root element", 11),
    Case("{\"a\": 1}", "this is not XML but looks like JSON", 1),
    Case("<r/></r>", "this end tag has no start tag", 5),
    Case("<r/> <r/>", "a second root element, where a document has only one", 6),
    Case("<r/> text", "text stands behind the root element", 6),
    Case("<r/> text <r/>", "text stands behind the root element", 6),
    Case("<r/><!DOCTYPE r>", "a document type declaration stands behind the root element", 5),
    Case("<r>\u{1}</r>", "the character U+0001 is not allowed in XML", 4),
    Case("<r>\u{FFFF}</r>", "the character U+FFFF is not allowed in XML", 4),
    Case("<r>a ]]> b</r>", "\"]]>\" stands outside of a CDATA section", 6),
    Case("<r><!-- a -- b --></r>", "a comment contains \"--\"", 11),
    Case("<r><!-- a</r>", "the document ends inside a comment", 4),
    Case("<r><![CDATA[ a</r>", "the document ends inside a CDATA section", 4),
    Case("<r><?p a</r>", "the document ends inside a processing instruction", 4),
    Case("<!DOCTYPE r [", "the document ends inside a document type declaration", 1),
    Case("<!doctype r><r/>", "\"<!\" starts no comment, CDATA section or declaration here", 1),
    Case(
      " <?xml version='1.0'?><r/>",
      "an XML declaration stands only at the very start of a document", 2),
    Case("<?xml version='2.0'?><r/>", "the version \"2.0\" of XML is not known", 20),
    Case("<?xml encoding='UTF-8'?><r/>", "the XML declaration does not begin with a version", 7),
    Case(
      "<!DOCTYPE r [foo]><r/>",
      "something that is no declaration stands in the document type declaration", 14),
  ]

  @Test(arguments: [tags, attributes, references, others].joined())
  func `an error says what is wrong where it begins`(wrong: Case) throws {
    let error = try #require(try ReadDocument.error(wrong.document))
    #expect(error.description == wrong.message)
    #expect(error.location.column == wrong.column)
    #expect(error.location.line == (wrong.column > 0 ? 1 : 0))
  }

  @Test(arguments: [tags, attributes, references, others].joined())
  func `no message is in words of the parser's own`(wrong: Case) throws {
    let error = try #require(try ReadDocument.error(wrong.document))
    for text in [error.description, error.hint ?? ""] {
      #expect(!text.contains("xmlParse") && !text.contains("\n") && !text.hasSuffix("."))
      #expect(text.first?.isUppercase != true || text.hasPrefix("\""))
    }
  }

  @Test func `the first thing that is wrong is told`() throws {
    let rows = String(repeating: "<a>é</a>\n", count: 20_000)
    let error = try ReadDocument.error("<r>\n<b></c>\n\(rows)<d x=1/>\0</r>")
    #expect(error?.location.line == 2)
  }
}
