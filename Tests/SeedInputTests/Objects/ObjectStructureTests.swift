import SeedModel
import Testing

@testable import SeedInput

/// What objects, arrays and values become.
@Suite struct ObjectStructureTests {
  private func outline(_ text: String) throws -> String { try ReadObjects(text).outline }

  @Test func `an object is an element with its values as fields`() throws {
    let read = try ReadObjects(#"{"id": 7, "name": "x", "on": true}"#)
    #expect(read.outline == #"<r id="7" name="x" on="true"/>"#)
    #expect(read.structure == ["r", "r@id", "r@name", "r@on"])
    #expect(read.definitions[0] == .place(name: .document("r"), parent: nil))
  }

  @Test func `an outermost array has a row for each item`() throws {
    let read = try ReadObjects(#"[{"a": 1}, {"a": 2}]"#)
    #expect(read.outline == #"<r><r a="1"/><r a="2"/></r>"#)
    #expect(read.structure == ["r", "r/r", "[r/r]", "r/r@a"])
    #expect(read.definitions[1] == .place(name: QualifiedName(local: "r"), parent: 0))
  }

  @Test func `a field may come behind a child`() throws {
    #expect(
      try outline(#"{"a": {"x": 1}, "b": 2}"#) == #"<r><a x="1"/> b="2"</r>"#)
  }

  @Test func `a member's array is a child for each item`() throws {
    let read = try ReadObjects(#"{"p": [{"a": 1}, {}], "q": [{"b": 1}]}"#)
    #expect(read.outline == #"<r><p a="1"/><p/><q b="1"/></r>"#)
    #expect(read.structure == ["r", "r/p", "[r/p]", "r/p@a", "r/q", "[r/q]", "r/q@b"])
  }

  @Test func `the end of an element says what it was`() throws {
    let read = try ReadObjects(#"[{"p": {}, "q": [{}, [1], "x", null]}]"#)
    #expect(
      read.forms == [.object, .item, .value, .array, .value, .null, .item, .array])
    let rows = try ReadObjects(#"{"p": [{"a": {"k": 1}, "b": {"k": 2}, "c": {"k": 3}}]}"#)
    #expect(rows.forms == [.object, .object, .object, .collection, .item])
  }

  @Test func `members with nothing in them are told where that is asked for`() throws {
    let text = #"{"p": [], "q": {"r": [], "s": {}}, "t": [[], {}]}"#
    let read = try ReadObjects(bytes: text.utf8, marksEmptyMembers: true)
    #expect(read.outline == "<r><p[]><q><r[]><s/></q><t/><t/></r>")
    #expect(try ReadObjects(text).outline == "<r><q><s/></q><t/><t/></r>")
    let rows = #"[{"m": {"a": {"k": 1}, "b": {"k": 2}, "c": {"k": 3}}}, {"m": {}}]"#
    #expect(
      try ReadObjects(bytes: rows.utf8, marksEmptyMembers: true).outline.hasSuffix(
        "<r><m{}></r></r>"))
  }

  @Test func `an array is said to be one once`() throws {
    let read = try ReadObjects(#"[{"p": [1]}, {"p": [2]}]"#)
    #expect(read.structure.filter { $0 == "[r/r/p]" }.count == 1)
  }

  @Test func `an empty array still is an array`() throws {
    let read = try ReadObjects(#"{"p": []}"#)
    #expect(read.outline == "<r/>")
    #expect(read.structure == ["r", "r/p", "[r/p]"])
    #expect(try ReadObjects("[]").structure == ["r", "r/r", "[r/r]"])
  }

  @Test func `values in an array are elements with the field text`() throws {
    #expect(
      try outline(#"{"tag": ["a", 1, false, null]}"#)
        == #"<r><tag text="a"/><tag text="1"/><tag text="false"/><tag/></r>"#)
    #expect(try outline("[1, 2]") == #"<r><r text="1"/><r text="2"/></r>"#)
  }

  @Test func `arrays in arrays have items`() throws {
    let read = try ReadObjects(#"{"m": [[1, 2], [], 3]}"#)
    #expect(
      read.outline
        == #"<r><m><item text="1"/><item text="2"/></m><m/><m text="3"/></r>"#)
    #expect(read.structure.contains("[r/m/item]"))
    #expect(try ReadObjects("[[[1]]]").structure.last == "r/r/item@text")
    #expect(try ReadObjects("[[[1]]]").structure.contains("r/r/item->r/r/item"))
  }

  @Test func `an object inside its own kind is the same place`() throws {
    let read = try ReadObjects(#"{"n": {"id": 1, "n": {"id": 2, "n": null}}}"#)
    #expect(read.outline == #"<r><n id="1"><n id="2"/></n></r>"#)
    #expect(read.structure == ["r", "r/n", "r/n@id", "r/n->r/n"])
  }

  @Test func `the document is not of the kind that has its name`() throws {
    let read = try ReadObjects(#"{"v": 1, "r": [{"r": {"a": 1}}]}"#)
    #expect(read.structure == ["r", "r@v", "r/r", "[r/r]", "r/r->r/r", "r/r@a"])
  }

  // MARK: Nulls

  @Test func `a null gives a column and no value`() throws {
    let read = try ReadObjects(#"[{"a": null}, {"a": 1}, {"b": null}]"#)
    #expect(read.outline == #"<r><r/><r a="1"/><r/></r>"#)
    #expect(read.structure == ["r", "r/r", "[r/r]", "r/r@a", "r/r@b"])
    #expect(read.readingCount == 1)
  }

  @Test(arguments: [
    (#"[{"a": null}, {"a": {"x": 1}}, {"a": null}]"#, 2),
    (#"[{"a": {"x": 1}}, {"a": null}]"#, 1),
    (#"[{"a": null}, {"a": []}]"#, 2),
    (#"[{"a": []}, {"a": null}]"#, 1),
  ])
  func `a null beside objects or arrays gives no column`(
    text: String, readingCount: Int
  ) throws {
    let read = try ReadObjects(text)
    #expect(!read.structure.contains("r/r@a"))
    #expect(read.readingCount == readingCount)
  }

  @Test func `all such nulls are found in one reading`() throws {
    let text = #"[{"a": null, "b": null, "c": [null]}, {"a": [], "b": {}, "c": [{}]}]"#
    let read = try ReadObjects(text)
    #expect(!read.structure.contains { $0.contains("@") })
    #expect(read.readingCount == 2)
  }

  @Test func `a value beside objects has its column, nulls or not`() throws {
    let read = try ReadObjects(#"[{"a": null}, {"a": 1}, {"a": {"x": 1}}, {"a": null}]"#)
    #expect(read.outline == #"<r><r/><r a="1"/><r><a x="1"/></r><r/></r>"#)
    #expect(read.readingCount == 1)
  }

  @Test func `a null in an array of objects is a row without values`() throws {
    let read = try ReadObjects(#"[null, {"a": 1}, null]"#)
    #expect(read.outline == #"<r><r/><r a="1"/><r/></r>"#)
    #expect(!read.structure.contains("r/r@text"))
  }

  // MARK: Batches

  @Test func `batches of every size give the same tokens`() throws {
    let row = #"{"a": 1, "b": {"c": [1, {"d": "x"}]}, "e": null}"#
    let text = "[" + Array(repeating: row, count: 200).joined(separator: ",") + "]"
    let whole = try ReadObjects(text)
    for count in [1, 7, 100] {
      let read = try ReadObjects(bytes: text.utf8, batchWordCount: count)
      #expect(read.events == whole.events)
      #expect(read.definitions == whole.definitions)
      #expect(read.batchCount > whole.batchCount)
    }
  }

  @Test func `a reading stops when nobody wants more`() throws {
    let text = "[" + Array(repeating: #"{"a": 1}"#, count: 20_000).joined(separator: ",") + "]"
    let read = try ReadObjects(bytes: text.utf8, stopAfterBatches: 1)
    #expect(read.wasCancelled)
    #expect(read.batchCount == 1)
    #expect(read.inputBytesRead > 0)
  }
}
