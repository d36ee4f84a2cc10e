import SeedInput
import SeedModel
import Testing

@testable import SeedCoreData

/// What is wrong with models, each at its line.
@Suite struct ModelErrorTests {
  private static let string = "attributeType=\"String\""

  /// The reasons of the errors of an entity's content, which starts on line 3.
  private func reasons(_ content: String, entity: String = "name=\"A\"") throws -> [ModelError
    .Reason]
  {
    let errors = try ModelText.errors("<entity \(entity)>\n\(content)\n</entity>")
    #expect(errors.allSatisfy { $0.location.line >= 2 && $0.location.column > 0 })
    return errors.map(\.reason)
  }

  // MARK: What is not known

  @Test func `an unknown element is named with its line and the nearest known one`() throws {
    let errors = try ModelText.errors("<entity name=\"A\">\n<atribute name=\"a\"/>\n</entity>")
    let error = try #require(errors.first)
    #expect(error.location.description == "contents:3:1")
    #expect(error.description == "the element \"atribute\" is not known inside \"entity\"")
    #expect(error.hint == "did you mean \"attribute\"?")
  }

  @Test(arguments: [
    "<entity name=\"A\" colour=\"x\"/>",
    "<entity name=\"A\"><attribute name=\"a\" attributeType=\"Date\" q=\"\"/></entity>",
    "<entity name=\"A\"/><configuration name=\"x\"><memberEntity name=\"A\" q=\"\"/></configuration>",
    "<entity name=\"A\"/><fetchRequest name=\"x\" q=\"\"/>",
    "<entity name=\"A\"/><elements><element name=\"A\" q=\"\"/></elements>",
    "<entity name=\"A\"><fetchedProperty name=\"f\"><fetchRequest q=\"\"/></fetchedProperty></entity>",
    "<entity name=\"A\"><userInfo q=\"\"/></entity>",
  ])
  func `an unknown attribute is refused wherever it stands`(body: String) throws {
    let reasons = try ModelText.errors(body).map(\.reason)
    #expect(reasons.count == 1)
    guard case .unknownAttribute? = reasons.first else {
      Issue.record("\(reasons)")
      return
    }
  }

  @Test func `text between elements is refused`() throws {
    #expect(try reasons("hello") == [.strayText(inside: "entity")])
  }

  @Test func `another root element or format is no model`() throws {
    #expect(throws: ModelErrors.self) { try ModelText.read(contents: "<plist/>") }
    let older = ModelText.contents("<entity name=\"A\"/>").replacing("1.0", with: "2.0")
    let error = #expect(throws: ModelErrors.self) { try ModelText.read(contents: older) }
    #expect(error?.errors.map(\.reason) == [.olderFormat("in the version \"2.0\" of the format")])
  }

  @Test func `a model without entities is refused`() throws {
    #expect(try ModelText.errors("").map(\.reason) == [.noEntity])
  }

  // MARK: Names

  @Test(arguments: [
    "description", "hash", "self", "entity", "objectID", "isInserted", "class",
    "managedObjectContext",
  ])
  func `a name of NSObject or NSManagedObject is reserved`(name: String) throws {
    #expect(
      try reasons("<attribute name=\"\(name)\" \(Self.string)/>") == [.reservedName(name)])
    #expect(
      try reasons("<relationship name=\"\(name)\" destinationEntity=\"A\"/>")
        == [.reservedName(name)])
  }

  @Test(arguments: ["", "1a", "a b", "a-b", "a\"b", "_a", "a.b", "a,b) --"])
  func `a name that Xcode does not take is refused`(name: String) throws {
    let written = name.replacing("\"", with: "&quot;")
    #expect(
      try reasons("<attribute name=\"\(written)\" \(Self.string)/>")
        == [.wrongName(name, what: "a property")])
    #expect(
      try reasons("", entity: "name=\"\(written)\"") == [.wrongName(name, what: "an entity")])
  }

  @Test func `two properties of one name are refused, inherited ones too`() throws {
    let twice = "<attribute name=\"a\" \(Self.string)/>\n<attribute name=\"a\" \(Self.string)/>"
    #expect(
      try reasons(twice) == [.repeatedProperty("a", of: "A", line: 3, owner: "A")])
    let body = """
      <entity name="P"><attribute name="a" \(Self.string)/></entity>
      <entity name="C" parentEntity="P">
      <relationship name="a" destinationEntity="P"/>
      </entity>
      <entity name="D" parentEntity="C"/>
      """
    let errors = try ModelText.errors(body)
    #expect(errors.map(\.reason) == [.repeatedProperty("a", of: "C", line: 2, owner: "P")])
    #expect(errors.map(\.location.line) == [4])
  }

  @Test func `two entities of one name, or of one table, are refused`() throws {
    let same = try ModelText.errors("<entity name=\"A\"/>\n<entity name=\"A\"/>")
    #expect(same.map(\.reason) == [.repeatedEntity("A", line: 2)])
    #expect(same.map(\.location.line) == [3])
    let table = try ModelText.errors("<entity name=\"Note\"/>\n<entity name=\"note\"/>")
    #expect(table.map(\.reason) == [.sameTable("Note", "note")])
  }

  // MARK: Entities

  @Test func `a parent must be in the model and cannot come from its child`() throws {
    #expect(
      try reasons("", entity: "name=\"A\" parentEntity=\"B\"") == [.unknownParent("B")])
    let circle = """
      <entity name="A" parentEntity="C"/>
      <entity name="B" parentEntity="A"/>
      <entity name="C" parentEntity="B"/>
      <entity name="D" parentEntity="D"/>
      <entity name="E" parentEntity="A"/>
      """
    #expect(
      try ModelText.errors(circle).map(\.reason) == [.cyclicParents("A"), .cyclicParents("D")])
  }

  // MARK: Attributes

  @Test(arguments: [
    ("Integer 16", "40000"), ("Integer 32", "1.5"), ("Integer 64", "x"), ("Decimal", "1,5"),
    ("Double", "nan"), ("Float", ""), ("Boolean", "maybe"), ("Date", "2001-01-01"), ("UUID", "1-2"),
  ])
  func `a default that is no value of the type is refused`(type: String, value: String) throws {
    let reasons = try reasons(
      "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(value)\"/>")
    #expect(reasons == [.wrongDefault(value, type: try #require(AttributeType(rawValue: type)))])
  }

  @Test(arguments: ["Binary", "Transformable"])
  func `data has no default`(type: String) throws {
    let reasons = try reasons(
      "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"x\"/>")
    #expect(reasons == [.noDefault(try #require(AttributeType(rawValue: type)))])
  }

  @Test func `an unknown type is refused, and so is none`() throws {
    let misspelt = try ModelText.errors(
      "<entity name=\"A\"><attribute name=\"a\" attributeType=\"Integer 8\"/></entity>")
    #expect(misspelt.map(\.reason) == [.unknownType("Integer 8")])
    #expect(misspelt.first?.hint == "did you mean \"Integer 16\"?")
    #expect(
      try reasons("<attribute name=\"a\"/>")
        == [.missingAttribute("attributeType", of: "attribute")])
    #expect(
      try reasons("<attribute name=\"a\" attributeType=\"Undefined\"/>") == [.undefinedType("a")])
  }

  @Test(arguments: [
    ("Integer 16", "minValueString=\"x\""), ("String", "maxValueString=\"-1\""),
    ("Date", "minDateTimeInterval=\"today\""), ("String", "minDateTimeInterval=\"0\""),
    ("Boolean", "minValueString=\"0\""), ("Integer 64", "regularExpressionString=\"a\""),
  ])
  func `a bound that the type has not is refused`(type: String, bound: String) throws {
    let reasons = try reasons("<attribute name=\"a\" attributeType=\"\(type)\" \(bound)/>")
    #expect(reasons.count == 1)
    guard case .wrongBound? = reasons.first else {
      Issue.record("\(reasons)")
      return
    }
  }

  @Test func `a minimum above the maximum is refused`() throws {
    #expect(
      try reasons(
        "<attribute name=\"a\" attributeType=\"Double\" minValueString=\"2\" "
          + "maxValueString=\"1.5\"/>")
        == [.crossedBounds(least: "2", most: "1.5")])
  }

  @Test(arguments: [
    ("(a", "a \"(\" has no \")\""), ("a)", "a \")\" has no \"(\""), ("[a", "a \"[\" has no \"]\""),
    ("*a", "a \"*\" has nothing before it to repeat"), ("a\\", "it ends in a backslash"),
    ("a{2,1}", "a \"{\" has its most below its least"),
  ])
  func `a pattern that cannot be one is refused`(pattern: String, fault: String) throws {
    #expect(
      try reasons("<attribute name=\"a\" \(Self.string) regularExpressionString=\"\(pattern)\"/>")
        == [.wrongPattern(pattern, fault: fault)])
  }

  @Test(arguments: [
    "", "a*?", "(?:a|b)+", "[]a]", "[^\\]]*", "[a[bc]]", "\\(", "\\Q(\\E", "(?i)x{2,3}",
  ])
  func `a pattern that can be one is taken`(pattern: String) {
    #expect(RegularExpressionCheck.fault(in: pattern) == nil)
  }

  @Test func `an option is YES or NO`() throws {
    #expect(
      try reasons("<attribute name=\"a\" \(Self.string) optional=\"yes\"/>")
        == [.wrongValue("yes", of: "optional", expected: "YES or NO")])
  }

  // MARK: What is not covered

  @Test(arguments: [
    "<attribute name=\"a\" attributeType=\"Composite\"/>",
    "<attribute name=\"a\" attributeType=\"ObjectID\"/>",
    "<attribute name=\"a\" attributeType=\"String\" derived=\"YES\" derivationExpression=\"now()\"/>",
    "<attribute name=\"b\" attributeType=\"Date\"/><fetchIndex name=\"i\"><fetchIndexElement property=\"b\" type=\"RTree\"/></fetchIndex>",
    "<fetchIndex name=\"i\"><fetchIndexElement expression=\"a\" expressionType=\"String\"/></fetchIndex>",
    "<attribute name=\"b\" attributeType=\"Date\"/><fetchIndex name=\"i\" partialIndexPredicate=\"b != nil\"><fetchIndexElement property=\"b\"/></fetchIndex>",
    "<attribute name=\"n\" attributeType=\"Integer 64\" derived=\"YES\" derivationExpression=\"as.@count\"/><relationship name=\"as\" toMany=\"YES\" destinationEntity=\"A\"/>",
  ])
  func `what no store shows is refused with the way around`(content: String) throws {
    let errors = try ModelText.errors("<entity name=\"A\">\n\(content)\n</entity>")
    let uncovered = errors.filter {
      if case .uncovered = $0.reason { true } else { false }
    }
    #expect(uncovered.count == 1, "\(errors)")
    #expect(uncovered.first?.hint?.contains("--schema Empty.sqlite") == true)
    #expect(uncovered.first?.location.line == 3)
  }

  @Test func `a composite is refused by name`() throws {
    let errors = try ModelText.errors("<entity name=\"A\"/><composite name=\"Address\"/>")
    #expect(errors.first?.description.contains("\"Address\"") == true)
  }

  @Test func `a derivation of anything but a to-many relationship is refused`() throws {
    for expression in ["b.@count", "x.@count", ".@count"] {
      #expect(
        try reasons(
          "<attribute name=\"n\" attributeType=\"Integer 64\" derived=\"YES\" "
            + "derivationExpression=\"\(expression)\"/><attribute name=\"b\" \(Self.string)/>")
          == [.wrongDerivation(expression)])
    }
  }

  @Test func `a name that is too long is called so, and cut`() {
    let name = String(repeating: "E", count: 1_001)
    let error = ModelError(
      .wrongName(name, what: "an entity"), at: SourceLocation(file: "contents"))
    #expect(
      error.description
        == "the name of an entity is 1001 bytes long, and at most 1000 are read: "
        + "\"\(name.prefix(80))…\"")
    #expect(error.hint == "give it a shorter one")
  }
}
