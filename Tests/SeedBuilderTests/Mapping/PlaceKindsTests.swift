import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct PlaceKindsTests {
  /// Facts of a document that is written as the paths of its elements, with what they have.
  private struct Outline {
    private(set) var facts = DocumentFacts(rules: .standard)
    private var numbers: [String: Int] = [:]

    mutating func element(
      _ path: String, attributes: Bool = false, text: Bool = false, repeats: Bool = false
    ) {
      let names = path.split(separator: "/").map(String.init)
      let parent = numbers[names.dropLast().joined(separator: "/")]
      let number = numbers.count
      numbers[path] = number
      facts.add(
        .place(name: .init(local: names[names.count - 1]), parent: parent), placeBase: 0,
        fieldBase: 0)
      if attributes {
        facts.add(.attribute(name: .init(local: "a"), place: number), placeBase: 0, fieldBase: 0)
      }
      if text { facts.noteText(of: number) }
      if repeats { facts.noteRepetition(of: number) }
    }

    mutating func recursion(_ path: String, below parent: String) throws {
      facts.add(
        .recursion(
          place: try #require(numbers[path]), parent: try #require(numbers[parent])),
        placeBase: 0, fieldBase: 0)
    }

    func kind(of path: String) throws -> PlaceKinds.Kind {
      PlaceKinds(facts).kinds[try #require(numbers[path])]
    }
  }

  @Test func `a root is a container until it has something of its own`() throws {
    var outline = Outline()
    outline.element("r")
    outline.element("r/e", attributes: true)
    #expect(try outline.kind(of: "r") == .container)
    outline.element("r/title", text: true)
    #expect(try outline.kind(of: "r") == .record)
  }

  @Test func `attributes, children or repetition make a record of a scalar`() throws {
    for (attributes, repeats) in [(true, false), (false, true)] {
      var outline = Outline()
      outline.element("r")
      outline.element("r/e", attributes: true, repeats: true)
      outline.element("r/e/name", text: true)
      outline.element("r/e/other", attributes: attributes, text: true, repeats: repeats)
      #expect(try outline.kind(of: "r/e/name") == .scalar)
      #expect(try outline.kind(of: "r/e/other") == .record)
    }
  }

  @Test func `a wrapper has children of one name that are records`() throws {
    var outline = Outline()
    outline.element("r")
    outline.element("r/order", attributes: true, repeats: true)
    outline.element("r/order/items")
    outline.element("r/order/items/item", attributes: true)
    outline.element("r/order/author")
    outline.element("r/order/author/name", text: true)
    #expect(try outline.kind(of: "r/order/items") == .wrapper)
    #expect(try outline.kind(of: "r/order/author") == .record)
    #expect(try outline.kind(of: "r/order/author/name") == .scalar)
  }

  @Test func `wrappers side by side around elements of one name are records`() throws {
    var outline = Outline()
    outline.element("r")
    outline.element("r/o", repeats: true)
    outline.element("r/o/bill")
    outline.element("r/o/bill/address", attributes: true)
    outline.element("r/o/ship")
    outline.element("r/o/ship/address", attributes: true)
    outline.element("r/o/lines")
    outline.element("r/o/lines/line", repeats: true)
    #expect(try outline.kind(of: "r/o/bill") == .record)
    #expect(try outline.kind(of: "r/o/ship") == .record)
    #expect(try outline.kind(of: "r/o/lines") == .wrapper)
  }

  @Test func `elements of one name below parents of one name are judged together`() throws {
    var outline = Outline()
    outline.element("r")
    outline.element("r/a")
    outline.element("r/a/person", attributes: true)
    outline.element("r/a/person/phone", text: true)
    outline.element("r/b")
    outline.element("r/b/person", attributes: true)
    outline.element("r/b/person/phone", text: true, repeats: true)
    #expect(try outline.kind(of: "r/a/person/phone") == .record)
  }

  @Test func `elements inside their own kind are records, and what wraps them is none`() throws {
    var outline = Outline()
    outline.element("r")
    outline.element("r/node")
    outline.element("r/node/children")
    try outline.recursion("r/node", below: "r/node/children")
    #expect(try outline.kind(of: "r/node") == .record)
    #expect(try outline.kind(of: "r/node/children") == .wrapper)
  }

  @Test func `wrappers of one owner are kept apart wherever the owner stands`() throws {
    var outline = Outline()
    outline.element("r")
    for above in ["r/a", "r/b"] {
      outline.element(above, attributes: true)
      outline.element("\(above)/o", attributes: true)
    }
    outline.element("r/a/o/bill")
    outline.element("r/a/o/bill/address", attributes: true)
    outline.element("r/b/o/address", attributes: true)
    #expect(try outline.kind(of: "r/a/o/bill") == .record)
  }

  @Test func `an element is inside its own kind also where its own kind has other parents`() throws
  {
    var outline = Outline()
    outline.element("r")
    outline.element("r/x")
    outline.element("r/x/a", text: true)
    outline.element("r/x/a/y")
    try outline.recursion("r/x/a", below: "r/x/a/y")
    outline.element("r/y")
    outline.element("r/y/a", text: true)
    // Below `y` there is an `a` inside an `a`: elsewhere below a `y` it is no column either.
    #expect(try outline.kind(of: "r/y/a") == .record)
  }

  @Test(arguments: [["a", "b", "c"], ["b", "c", "a"], ["c", "b", "a"]])
  func `names that lead round in a circle wrap nothing`(starts: [String]) throws {
    let next = ["a": "b", "b": "c", "c": "a"]
    var outline = Outline()
    outline.element("r", attributes: true)
    for first in starts {
      let second = try #require(next[first])
      let third = try #require(next[second])
      outline.element("r/\(first)")
      outline.element("r/\(first)/\(second)")
      outline.element("r/\(first)/\(second)/\(third)")
    }
    for first in starts {
      let second = try #require(next[first])
      #expect(try outline.kind(of: "r/\(first)/\(second)") == .record, "\(first)/\(second)")
    }
  }

  @Test func `that one wrapper repeats says nothing of the one beside it`() throws {
    for repeats in [false, true] {
      var outline = Outline()
      outline.element("r")
      outline.element("r/o", attributes: true)
      outline.element("r/o/bill", repeats: repeats)
      outline.element("r/o/bill/address", attributes: true)
      outline.element("r/o/ship")
      outline.element("r/o/ship/address", attributes: true)
      #expect(try outline.kind(of: "r/o/bill") == .record)
      #expect(try outline.kind(of: "r/o/ship") == .record, "repeats: \(repeats)")
    }
  }
}
