import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct FactObserverTests {
  @Test(arguments: [1, 1000])
  func `a text is judged when all its runs are together`(batchWordCount: Int) throws {
    let document = try ObservedDocument(
      "<r><d>2010-<b/>01-<b/>16</d><d>2010-01-17</d></r>", batchWordCount: batchWordCount)
    #expect(document.text("r/d")?.columnType == .date(.isoDate))
    let other = try ObservedDocument("<r><n>0<b/>5</n><n>7</n></r>", batchWordCount: batchWordCount)
    #expect(other.text("r/n")?.columnType == .text)
  }

  @Test func `blanks make a column TEXT, but not the text of a record`() throws {
    let document = try ObservedDocument("<r><v><n>5</n></v><v><n> </n></v></r>")
    let text = try #require(document.text("r/v/n"))
    #expect(text.columnType == .text)
    #expect(text.withoutBlankValues().columnType == .integer)
    let column = TablePlan.Column(source: .text, type: .text, fields: [0])
    #expect(document.facts.statistics(of: column)?.columnType == .integer)
  }

  @Test func `an element repeats when one parent has two`() throws {
    let document = try ObservedDocument("<r><p><a/><b/><a/></p><q><c/></q><q><c/></q></r>")
    func repeats(_ path: String) throws -> Bool {
      document.facts.places[try #require(document.place(path))].repeats
    }
    #expect(try repeats("r/p/a"))
    #expect(try !repeats("r/p/b"))
    #expect(try repeats("r/q"))
    #expect(try !repeats("r/q/c"))
  }

  @Test func `the first line with text between children is known`() throws {
    let document = try ObservedDocument("<r>\n<p>x</p>\n<p>x<b/></p>\n<p><b/>x</p>\n</r>")
    let place = try #require(document.place("r/p"))
    #expect(document.facts.places[place].mixedLine == 3)
  }

  @Test func `a line that is noted later but stands earlier counts`() {
    var facts = DocumentFacts(rules: .standard)
    facts.add(.place(name: .init(local: "r"), parent: nil), placeBase: 0, fieldBase: 0)
    facts.noteMixedContent(of: 0, line: 9)
    facts.noteMixedContent(of: 0, line: 4)
    facts.noteMixedContent(of: 0, line: 7)
    #expect(facts.places[0].mixedLine == 4)
  }

  @Test func `text that began before the observer says nothing`() throws {
    var facts = DocumentFacts(rules: .standard)
    var late: FactObserver?
    var open = PinnedList<RowAssembler.OpenElement>()
    defer { open.deallocate() }
    try DocumentBatches.read("<r><d>1<b/>2</d><d>3</d></r>", batchWordCount: 1) { batch in
      for definition in batch.definitions { facts.add(definition, placeBase: 0, fieldBase: 0) }
      if late == nil {
        // The first batch ends behind the `b`: `r` and its first `d`, which has a text, are open.
        for place in 0...1 {
          var element = RowAssembler.OpenElement(place: place, line: 1, role: Role(kind: .record))
          element.hasText = place == 1
          element.hasChild = true
          open.append(element)
        }
        late = FactObserver(continuing: open)
      } else {
        late?.observe(batch, into: &facts, placeBase: 0, fieldBase: 0)
      }
      return true
    }
    let text = facts.fields[try #require(facts.places[1].text)].statistics
    #expect(text.valueCount == 1)
    #expect(facts.places[1].mixedLine == 1)
  }
}
