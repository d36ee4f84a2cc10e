import SeedBuilder
import SeedModel
import Testing

@testable import SeedCoreData

/// Relationships by a value that stands for the other object.
@Suite struct NaturalKeyTests {
  private let model = """
    <entity name="Author"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="books" optional="YES" toMany="YES" ordered="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/></entity>
    <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>
    <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    <relationship name="tags" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/></entity>
    <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
    <attribute name="day" optional="YES" attributeType="Date"/>
    <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="tags" inverseEntity="Book"/></entity>
    """

  private func author(_ from: String) -> ReferenceRule {
    ReferenceRule(("Book", "author"), from: from, to: ("Author", "name"))
  }

  private func tags(_ from: String) -> ReferenceRule {
    ReferenceRule(("Book", "tags"), from: from, to: ("Tag", "name"))
  }

  @Test func `a to-one relationship is looked up, wherever the other object stands`() throws {
    let store = try FilledStore(
      """
      <L><Book title="1" author="B"/><Author name="A"/><Author name="B"/><Book title="2" author="A"/>
      <Book title="3" author="B"/><Book title="4"/></L>
      """, model: model
    ) { $0.mapping.references = [author("@author")] }
    #expect(
      try store.lines("SELECT ZTITLE, ZAUTHOR, Z_FOK_AUTHOR FROM ZBOOK")
        == ["1|2|2048", "2|1|2048", "3|2|3072", "4||"])
  }

  @Test func `objects inside come before those that are looked up`() throws {
    let store = try FilledStore(
      """
      <L><Book title="0" author="A"/><Author name="A"><books><Book title="1"/><Book title="2"/></books>
      </Author></L>
      """, model: model
    ) { $0.mapping.references = [author("@author")] }
    #expect(
      try store.lines("SELECT ZTITLE, ZAUTHOR, Z_FOK_AUTHOR FROM ZBOOK ORDER BY Z_FOK_AUTHOR")
        == ["1|1|2048", "2|1|3072", "0|1|4096"])
  }

  @Test(arguments: [
    "<Book title=\"1\"><tag>b</tag><tag>a</tag></Book>",
    "<Book title=\"1\"><tags><tag>b</tag><tag>a</tag></tags></Book>",
    "<Book title=\"1\"><tag>b</tag><x/><tag>a</tag></Book>",
  ])
  func `several elements make a to-many relationship in their order`(book: String) throws {
    let store = try FilledStore("<L>\(book)<Tag name=\"a\"/><Tag name=\"b\"/></L>", model: model) {
      $0.mapping.references = [tags("tag")]
    }
    #expect(
      try store.lines("SELECT Z_2BOOKS, Z_3TAGS, Z_FOK_3TAGS FROM Z_2TAGS ORDER BY 3")
        == ["1|2|2048", "1|1|3072"])
  }

  @Test func `an array of JSON makes a to-many relationship`() throws {
    let store = try FilledStore(
      [
        (
          "l.json",
          """
          {"tag": [{"name": "a"}, {"name": "b"}],
           "book": [{"title": "1", "tags": ["b", "a"]}, {"title": "2", "tags": []}, {"title": "3"}]}
          """
        )
      ], model: model, rules: { $0.mapping.references = [tags("tags")] })
    #expect(
      try store.lines("SELECT Z_2BOOKS, Z_3TAGS, Z_FOK_3TAGS FROM Z_2TAGS ORDER BY 3")
        == ["1|2|2048", "1|1|3072"])
  }

  @Test func `both sides may name each other, and each gives its own order`() throws {
    let store = try FilledStore(
      """
      <L><Tag name="a"><book>2</book><book>1</book></Tag><Tag name="b"><book>1</book></Tag>
      <Book title="1"><tag>b</tag><tag>a</tag></Book><Book title="2"/></L>
      """, model: model
    ) {
      $0.mapping.references = [
        ReferenceRule(("Tag", "books"), from: "book", to: ("Book", "title")), tags("tag"),
      ]
    }
    #expect(try store.lines("SELECT count(*) FROM Z_2TAGS") == ["3"])
    #expect(
      try store.lines(
        "SELECT ZNAME FROM Z_2TAGS JOIN ZTAG ON Z_PK = Z_3TAGS WHERE Z_2BOOKS = 1 ORDER BY Z_FOK_3TAGS"
      )
        == ["b", "a"])
  }

  @Test func `a natural key is compared as it is stored`() throws {
    let store = try FilledStore(
      "<L><Tag day=\"2010-01-16\"/><Book day=\"16.01.2010\"/></L>", model: model
    ) {
      $0.mapping.references = [
        ReferenceRule(("Book", "tags"), from: "@day", to: ("Tag", "day"))
      ]
    }
    #expect(try store.lines("SELECT Z_2BOOKS, Z_3TAGS FROM Z_2TAGS") == ["1|1"])
  }

  @Test func `a sub-entity's objects refer as their parent's do`() throws {
    let store = try FilledStore(
      "<L><Author name=\"A\"/><Novel author=\"A\"/></L>",
      model: model + "<entity name=\"Novel\" parentEntity=\"Book\"/>"
    ) { $0.mapping.references = [author("@author")] }
    #expect(try store.lines("SELECT Z_ENT, ZAUTHOR FROM ZBOOK") == ["3|1"])
  }

  @Test func `an unknown natural key is an error at its place with the nearest one`() throws {
    #expect(
      try FilledStore.failure(
        "<L><Author name=\"Anna\"/>\n<Book author=\"Ana\"/></L>", model: model
      ) {
        $0.mapping.references = [author("@author")]
      } == [
        "input.xml:2:15: no object of \"Author\" has name \"Ana\" [did you mean \"Anna\"?]"
      ])
  }

  @Test func `a natural key that several objects have is an error`() throws {
    #expect(
      try FilledStore.failure(
        "<L><Author name=\"A\"/><Author name=\"A\"/>\n<Book author=\"A\"/></L>", model: model
      ) { $0.mapping.references = [author("@author")] } == [
        "input.xml:2:15: \"A\" stands for several objects of \"Author\" [name must be unique there]"
      ])
  }

  @Test func `an object cannot belong to two by a to-one inverse`() throws {
    #expect(
      try FilledStore.failure(
        "<L><Author name=\"A\"><b>1</b></Author>\n<Author name=\"B\"><b>1</b></Author><Book title=\"1\"/></L>",
        model: model
      ) {
        $0.mapping.references = [
          ReferenceRule(("Author", "books"), from: "b", to: ("Book", "title"))
        ]
      } == [
        "input.xml:2:21: \"1\" belongs to another object already by the inverse of Author.books "
          + "[name it in one record only, or make the inverse relationship to-many in the model]"
      ])
  }

  @Test func `a value of a relationship without a rule says how to write one`() throws {
    let faults = try FilledStore.failure(
      "<L><Author name=\"A\"/>\n<Book author=\"A\"/></L>", model: model)
    #expect(
      faults == [
        "input.xml:2:15: attribute author of Book is a value, and \"author\" is a relationship to "
          + "\"Author\" [say in seed.json what it refers to: \"references\": { \"Book.author\": "
          + "{ \"from\": …, \"to\": \"Author.…\" } }, or leave it out with --ignore-extra]"
      ])
  }

  @Test func `a rule about what the model lacks is an error`() throws {
    func failure(_ rule: ReferenceRule) throws -> [String] {
      try FilledStore.failure("<L><Book title=\"1\"/></L>", model: model) {
        $0.mapping.references = [rule]
      }
    }
    #expect(
      try failure(ReferenceRule(("Bok", "author"), from: "@a", to: ("Author", "name")))
        == ["the model has no entity \"Bok\" [did you mean \"Book\"?]"])
    #expect(
      try failure(ReferenceRule(("Book", "auther"), from: "@a", to: ("Author", "name")))
        == ["entity \"Book\" has no relationship \"auther\" [did you mean \"author\"?]"])
    #expect(
      try failure(ReferenceRule(("Book", "author"), from: "@a", to: ("Author", "nam")))
        == ["entity \"Author\" has no attribute \"nam\" [did you mean \"name\"?]"])
    #expect(
      try failure(author("@a")) == [
        "no record of \"Book\" has a value at \"@a\" [write @attribute, child, child/grandchild or .]"
      ])
  }

  @Test func `a key that is no value of its attribute is refused with the entity that has this`()
    throws
  {
    let faults = try FilledStore.failure(
      "<L>\n<Book title=\"1\" day=\"red\"/><Tag name=\"a\" day=\"2024-01-02\"/></L>", model: model
    ) {
      $0.mapping.references = [ReferenceRule(("Book", "tags"), from: "@day", to: ("Tag", "day"))]
    }
    #expect(faults.count == 1)
    #expect(
      faults.first?.hasPrefix(
        "input.xml:2:22: \"red\" is not a date or time in attribute day of Tag, to which Book.tags "
          + "refers") == true, "\(faults)")
  }
}
