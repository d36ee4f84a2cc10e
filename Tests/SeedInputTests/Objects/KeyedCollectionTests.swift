import SeedModel
import Testing

@testable import SeedInput

/// Objects whose members are rows.
@Suite struct KeyedCollectionTests {
  private func outline(_ text: String) throws -> String { try ReadObjects(text).outline }

  @Test func `three objects that share half of their names are rows`() throws {
    let read = try ReadObjects(
      #"{"c": {"de": {"n": 1, "x": 1}, "fr": {"n": 2}, "it": {"n": 3, "y": 1}}}"#)
    #expect(
      read.outline
        == #"<r><c key="de" n="1" x="1"/><c key="fr" n="2"/><c key="it" n="3" y="1"/></r>"#)
    #expect(
      read.structure == ["r", "r/c", "[r/c]", "r/c@key", "r/c@n", "r/c@x", "r/c@y"])
    #expect(read.readingCount == 2)
    #expect(read.definitions.contains(.attribute(name: .collectionKey, place: 1)))
  }

  @Test func `an outermost collection has the document's name`() throws {
    #expect(
      try outline(#"{"de": {"n": 1}, "fr": {"n": 2}, "it": {"n": 3}}"#)
        == #"<r><r key="de" n="1"/><r key="fr" n="2"/><r key="it" n="3"/></r>"#)
  }

  @Test(arguments: [
    // Too few.
    #"{"c": {"de": {"n": 1}, "fr": {"n": 2}}}"#,
    // Too little in common: one of three names, one of four.
    #"{"c": {"de": {"n": 1, "a": 1, "b": 1}, "fr": {"n": 2}, "it": {"n": 3}}}"#,
    // Nothing in common.
    #"{"c": {"de": {"n": 1}, "fr": {"n": 2}, "it": {"m": 3}}}"#,
    #"{"c": {"de": {}, "fr": {}, "it": {}}}"#,
    // Not all are objects.
    #"{"c": {"de": {"n": 1}, "fr": {"n": 2}, "it": {"n": 3}, "v": 1}}"#,
    #"{"c": {"v": null, "de": {"n": 1}, "fr": {"n": 2}, "it": {"n": 3}}}"#,
    #"{"c": {"de": {"n": 1}, "fr": {"n": 2}, "it": {"n": 3}, "v": []}}"#,
  ])
  func `other objects are what their members say`(text: String) throws {
    let read = try ReadObjects(text)
    #expect(read.outline.hasPrefix("<r><c"))
    #expect(read.outline.contains("<fr"))
    #expect(read.readingCount == 1)
  }

  @Test(arguments: [#"{"v": 1}"#, #"{"de": {"m": 1}}"#, #"{"de": null}"#, #"{"de": [1]}"#])
  func `an object elsewhere at its path may contradict`(other: String) throws {
    let keyed = #"{"c": {"de": {"n": 1}, "fr": {"n": 2}, "it": {"n": 3}}}"#
    let read = try ReadObjects(#"[\#(keyed), {"c": \#(other)}]"#)
    #expect(read.outline.contains(#"<c><de n="1"/><fr n="2"/><it n="3"/></c>"#))
    #expect(!read.outline.contains("key"))
    #expect(read.readingCount <= 3)
    let reversed = try ReadObjects(#"[{"c": \#(other)}, \#(keyed)]"#)
    #expect(!reversed.outline.contains("key"))
  }

  @Test func `a smaller one at the same path is a collection too`() throws {
    let read = try ReadObjects(
      #"[{"c": {"de": {"n": 1}}}, {"c": {"de": {"n": 1}, "fr": {"n": 2}, "it": {"n": 3}}}]"#)
    #expect(
      read.outline
        == #"<r><r><c key="de" n="1"/></r><r><c key="de" n="1"/><c key="fr" n="2"/>"#
        + #"<c key="it" n="3"/></r></r>"#)
  }

  @Test func `a collection of many members needs few places`() throws {
    let rows = (0..<30_000).map { #""k\#($0)": {"n": \#($0), "m": 1}"# }
    let read = try ReadObjects(#"{"c": {\#(rows.joined(separator: ","))}}"#)
    #expect(read.events.count == 2 + 30_000 * 5)
    #expect(read.structure == ["r", "r/c", "[r/c]", "r/c@key", "r/c@n", "r/c@m"])
    #expect(read.readingCount == 2)
  }

  @Test func `a late member makes a collection of many members ordinary`() throws {
    let rows = (0..<150).map { #""k\#($0)": {"n": \#($0)}"# } + [#""v": 1"#]
    let read = try ReadObjects(#"{"c": {\#(rows.joined(separator: ","))}}"#)
    #expect(read.outline.contains(#"<k149 n="149"/> v="1"</c>"#))
    #expect(read.readingCount == 2)
  }

  @Test func `collections nest`() throws {
    let inner = #"{"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 3}}"#
    let read = try ReadObjects(#"{"o": {"p": \#(inner), "q": \#(inner), "s": \#(inner)}}"#)
    let rows = #"<item key="a" x="1"/><item key="b" x="2"/><item key="c" x="3"/>"#
    #expect(
      read.outline
        == #"<r><o key="p">\#(rows)</o><o key="q">\#(rows)</o><o key="s">\#(rows)</o></r>"#)
  }

  @Test func `a key may be the collection's own name`() throws {
    #expect(
      try outline(#"{"c": {"a": {"n": 1}, "c": {"n": 2}, "b": {"n": 3}}}"#)
        == #"<r><c key="a" n="1"/><c key="c" n="2"/><c key="b" n="3"/></r>"#)
  }

  @Test func `a collection in an array has items`() throws {
    let item = #"{"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 3}}"#
    #expect(
      try outline("[\(item)]")
        == #"<r><r><item key="a" x="1"/><item key="b" x="2"/><item key="c" x="3"/></r></r>"#)
  }

  @Test func `a key that comes twice is an error, also where the collection is known`() throws {
    let rows = (0..<1_000).map { #""k\#($0)": {"n": 1}"# }
    let first = #"{"c": {"a": {"n": 1}, "b": {"n": 1}, "d": {"n": 1}}}"#
    for text in [
      #"{"a": {"n": 1}, "b": {"n": 2}, "c": {"n": 3}, "a": {"n": 4}}"#,
      #"[\#(first), {"c": {"x": {"n": 1}, "\u0078": {"n": 1}}}]"#,
      #"{"c": {\#(rows.joined(separator: ",")), "k500": {"n": 1}}}"#,
    ] {
      let error = try #require(try ReadObjects.error(text))
      #expect("\(error)".hasPrefix("the object has a member \""))
    }
    #expect(try ReadObjects(#"[\#(first), \#(first)]"#).events.count == 2 + 2 * 14)
  }

  @Test func `a key beyond the first may come twice and is two rows`() throws {
    let rows = (0..<17_000).map { #""k\#($0)": {"n": 1}"# }
    let read = try ReadObjects(#"{"c": {\#(rows.joined(separator: ",")), "k16999": {"n": 2}}}"#)
    #expect(read.events.count == 2 + 4 * 17_001)
  }

  @Test func `a member called key keeps its name`() throws {
    let read = try ReadObjects(
      #"{"c": {"a": {"key": 1}, "b": {"key": 2}, "c": {"key": 3}}}"#)
    #expect(read.outline.contains(#"<c key="a" key="1"/>"#))
    #expect(
      read.definitions.suffix(3) == [
        .attribute(name: .collectionKey, place: 1),
        .attribute(name: QualifiedName(local: "key"), place: 1),
        .bare(field: 1, value: "1", line: 1),
      ])
  }

  @Test func `collections in collections in collections come to an end`() throws {
    var text = #"{"x": 1}"#
    for _ in 0..<60 { text = #"{"a": \#(text), "b": {"a": {}, "x": {}}, "c": {"a": {}, "x": {}}}"# }
    #expect(try ReadObjects(text).readingCount <= 25)
  }
}
