import SeedModel
import Testing

@testable import SeedCoreData

@Suite struct ModelReaderTests {
  @Test func `a model is what its elements say`() throws {
    let model = try ModelText.read(LibraryModel.body)
    #expect(model.entities.map(\.name) == ["Work", "Book", "Author", "Chapter"])
    #expect(model.children(of: "Work") == ["Book"])
    #expect(model.root(of: "Book") == "Work")
    let work = try #require(model.entity("Work"))
    #expect(work.isAbstract)
    #expect(work.uniquenessConstraints.map(\.names) == [["title", "day"], ["key"]])
    #expect(work.fetchedProperties.map(\.value) == ["similar"])
    #expect(
      Set(work.attributes.map(\.type)) == Set(AttributeType.allCases))
    let pages = try #require(work.attributes.first { $0.name == "pages" })
    #expect(pages.isOptional)
    #expect(pages.versionHashModifier == "2")
    #expect(work.attributes.filter(\.allowsExternalStorage).map(\.name) == ["cover"])
    #expect(work.attributes.filter(\.isPreservedAfterDeletion).map(\.name) == ["key"])
    #expect(work.attributes.filter(\.isTransient).map(\.name) == ["draft"])
    #expect(work.attributes.compactMap(\.transformerName) == ["Tint"])
    let authors = try #require(model.relationship("authors", of: "Book")?.relationship)
    #expect(authors.isToMany && !authors.isOrdered && !authors.isOptional)
    #expect((authors.minCount, authors.maxCount) == (1, 4))
    #expect(model.inverse(of: authors)?.relationship.name == "books")
    #expect(model.inverse(of: authors)?.entity == "Author")
  }

  @Test func `what a property inherits counts as its own, sorted by name`() throws {
    let model = try ModelText.read(LibraryModel.body)
    let names = model.allAttributes(of: "Book").map(\.name)
    #expect(names == names.sorted())
    #expect(names.contains("title") && names.contains("edition"))
    #expect(!model.allAttributes(of: "Work").map(\.name).contains("edition"))
  }

  @Test func `places are those of the start tags`() throws {
    let model = try ModelText.read(
      """
      <entity name="A">
        <attribute name="a" attributeType="String"/><attribute name="b" attributeType="Date"/>
      </entity>
      """)
    let attributes = try #require(model.entity("A")?.attributes)
    #expect(attributes.map(\.location.line) == [3, 3])
    #expect(attributes.map(\.location.column) == [3, 47])
    #expect(model.entity("A")?.location.description == "contents:2:1")
  }

  @Test(arguments: [
    ("Integer 16", "12", ModelValue.integer(12)), ("Integer 64", "-1", .integer(-1)),
    ("Decimal", "0.10", .decimal("0.10")), ("Double", "1e3", .real(1000)),
    ("Boolean", "YES", .boolean(true)), ("Boolean", "0", .boolean(false)),
    ("String", "", .text("")), ("URI", "https://a.b", .text("https://a.b")),
    (
      "UUID", "00000000-0000-0000-0000-0000000000fF",
      .uuid([UInt8](repeating: 0, count: 15) + [255])
    ),
  ])
  func `a default is read by its type`(type: String, text: String, value: ModelValue) throws {
    let model = try ModelText.read(
      "<entity name=\"A\"><attribute name=\"a\" attributeType=\"\(type)\" "
        + "defaultValueString=\"\(text)\"/></entity>")
    #expect(model.entity("A")?.attributes.first?.defaultValue == value)
  }

  @Test func `a date's default is in seconds since 2001`() throws {
    let model = try ModelText.read(
      "<entity name=\"A\"><attribute name=\"a\" attributeType=\"Date\" "
        + "defaultDateTimeInterval=\"-978307200\"/></entity>")
    #expect(model.entity("A")?.attributes.first?.defaultValue == .date(-978_307_200))
  }

  @Test func `everything that Xcode writes is known`() throws {
    // Attributes and elements as Xcode 15 writes them, in the order of its own files.
    let model = try ModelText.read(
      """
      <entity name="A" representedClassName="A" syncable="YES" codeGenerationType="class" \
      elementID="B" renamingIdentifier="Old" coreSpotlightDisplayNameExpression="name">
      <attribute name="name" optional="YES" attributeType="String" minValueString="1" \
      maxValueString="20" defaultValueString="x" regularExpressionString="[a-z]+(-[a-z]+)*" \
      spotlightIndexingEnabled="YES" storedInTruthFile="YES" allowsCloudEncryption="YES" \
      preservesValueInHistoryOnDeletion="YES" elementID="n" syncable="YES" indexed="YES">
      <userInfo><entry key="k" value="v"/></userInfo>
      </attribute>
      <attribute name="day" attributeType="Date" minDateTimeInterval="-10" \
      maxDateTimeInterval="10" defaultDateTimeInterval="0" usesScalarValueType="NO" \
      customClassName="Day"/>
      <fetchIndex name="byName">
      <fetchIndexElement property="name" type="Binary" order="descending"/>
      </fetchIndex>
      <compoundIndexes><compoundIndex><index value="name"/><index value="day"/></compoundIndex>
      </compoundIndexes>
      <uniquenessConstraints><uniquenessConstraint><constraint value="name"/>
      </uniquenessConstraint></uniquenessConstraints>
      <userInfo><entry key="a" value="b"/><entry key="c" value="d"/></userInfo>
      </entity>
      <configuration name="Local" usedWithCloudKit="YES"><memberEntity name="A"/></configuration>
      <fetchRequest name="all" entity="A" predicateString="TRUEPREDICATE" fetchLimit="10"/>
      <elements><element name="A" positionX="-1" positionY="0" width="128" height="44"/></elements>
      """)
    let entity = try #require(model.entity("A"))
    #expect(entity.userInfo == ["a": "b", "c": "d"])
    #expect(entity.attributes[0].userInfo == ["k": "v"])
    #expect(entity.attributes[0].isPreservedAfterDeletion && entity.attributes[0].isIndexed)
    #expect(entity.indexes.map(\.name) == ["byName", "name_day"])
    #expect(entity.indexes[0].elements.map(\.isDescending) == [true])
    #expect(model.warnings.isEmpty)
  }

  @Test func `a relationship without an inverse is worth a warning at its place`() throws {
    let model = try ModelText.read(LibraryModel.body)
    #expect(
      model.warnings.map(\.message)
        == ["the relationship \"source\" of \"Chapter\" has no inverse"])
    #expect(model.warnings.allSatisfy { $0.location?.line ?? 0 > 1 })
  }
}
