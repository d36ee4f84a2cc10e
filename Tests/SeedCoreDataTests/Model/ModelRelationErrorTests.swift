import SeedModel
import Testing

@testable import SeedCoreData

/// What is wrong with relationships, indexes and constraints.
@Suite struct ModelRelationErrorTests {
  /// The reasons of the errors of two entities; A's content starts on line 3.
  private func reasons(_ a: String, _ b: String = "") throws -> [ModelError.Reason] {
    try ModelText.errors(
      "<entity name=\"A\">\n\(a)\n</entity>\n<entity name=\"B\">\(b)</entity>"
    ).map(\.reason)
  }

  private func relationship(
    _ name: String, to destination: String, inverse: String? = nil, more: String = ""
  ) -> String {
    let back = inverse.map { " inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
    return "<relationship name=\"\(name)\" destinationEntity=\"\(destination)\"\(back) \(more)/>"
  }

  @Test func `a destination must be in the model`() throws {
    #expect(try reasons(relationship("b", to: "C")) == [.unknownDestination("C")])
  }

  @Test func `an inverse must be a relationship of the destination`() throws {
    #expect(
      try reasons(relationship("b", to: "B", inverse: "a"))
        == [.unknownInverse("a", entity: "B")])
    #expect(
      try reasons(
        relationship("b", to: "B", inverse: "a"),
        "<attribute name=\"a\" attributeType=\"String\"/>")
        == [.unknownInverse("a", entity: "B")])
  }

  @Test func `an inverse must lead back`() throws {
    #expect(
      try reasons(relationship("b", to: "B", inverse: "a"), relationship("a", to: "A"))
        == [.otherInverse("a", of: "B", points: "it has no inverse")])
    #expect(
      try reasons(
        relationship("b", to: "B", inverse: "a") + relationship("c", to: "B", inverse: "a"),
        relationship("a", to: "A", inverse: "c"))
        == [.otherInverse("a", of: "B", points: "its own inverse is \"c\"")])
    #expect(
      try reasons(
        relationship("b", to: "B", inverse: "a"), relationship("a", to: "B", inverse: "b"))
        == [
          .wrongDestinationOfInverse("a", destination: "B", expected: "A"),
          .unknownInverse("b", entity: "B"),
        ])
  }

  @Test func `the entity of the inverse is the destination`() throws {
    #expect(
      try reasons(
        "<relationship name=\"b\" destinationEntity=\"B\" inverseName=\"a\" inverseEntity=\"A\"/>",
        relationship("a", to: "A", inverse: "b"))
        == [.inverseElsewhere("A", destination: "B")])
    #expect(
      try reasons("<relationship name=\"b\" destinationEntity=\"B\" inverseEntity=\"B\"/>")
        == [.missingAttribute("inverseName", of: "relationship")])
  }

  @Test(arguments: [
    ("minCount=\"2\"", false), ("maxCount=\"2\"", false), ("toMany=\"YES\" maxCount=\"1\"", false),
    ("toMany=\"YES\" minCount=\"3\" maxCount=\"2\"", false),
    ("toMany=\"YES\" minCount=\"-1\"", false),
    ("toMany=\"YES\" maxCount=\"many\"", false), ("ordered=\"YES\"", false),
    ("deletionRule=\"Ignore\"", false), ("toMany=\"YES\" maxCount=\"-1\"", true),
    ("toMany=\"YES\" minCount=\"3\" maxCount=\"0\"", true), ("minCount=\"1\" maxCount=\"1\"", true),
    ("deletionRule=\"No Action\"", true),
  ])
  func `counts and rules must make sense`(options: String, isRight: Bool) throws {
    #expect(
      try reasons(relationship("b", to: "B", more: options)).isEmpty == isRight)
  }

  @Test func `a stored relationship with a transient inverse is not covered`() throws {
    let reasons = try reasons(
      relationship("b", to: "B", inverse: "a", more: "transient=\"YES\""),
      relationship("a", to: "A", inverse: "b"))
    #expect(reasons.count == 2)
  }

  // MARK: Indexes and constraints

  private let attributes = """
    <attribute name="a" attributeType="String"/>
    <attribute name="t" attributeType="String" transient="YES"/>
    """

  private func index(_ properties: String..., name: String = "i") -> String {
    "<fetchIndex name=\"\(name)\">"
      + properties.map { "<fetchIndexElement property=\"\($0)\"/>" }.joined() + "</fetchIndex>"
  }

  private func constraint(_ names: String...) -> String {
    "<uniquenessConstraint>" + names.map { "<constraint value=\"\($0)\"/>" }.joined()
      + "</uniquenessConstraint>"
  }

  @Test func `an index is about stored properties, each once`() throws {
    let what = "the index \"i\""
    #expect(
      try reasons(attributes + index("x")) == [.unknownProperty("x", of: "A", what: what)])
    #expect(try reasons(attributes + index("t")) == [.unstoredProperty("t", what: what)])
    #expect(try reasons(attributes + index("a", "a")) == [.repeatedInIndex("a")])
    #expect(try reasons(attributes + index()) == [.empty(what)])
    #expect(try reasons(attributes + index("a") + index("a")) == [.repeatedIndex("i")])
    #expect(
      try reasons(
        attributes + index("bs")
          + relationship("bs", to: "B", more: "toMany=\"YES\""))
        == [.unknownProperty("bs", of: "A", what: what)])
  }

  @Test func `a constraint is about stored attributes, each once`() throws {
    func reasons(_ constraints: String) throws -> [ModelError.Reason] {
      try self.reasons(
        attributes + relationship("b", to: "B")
          + "<uniquenessConstraints>\(constraints)</uniquenessConstraints>")
    }
    let what = "a uniqueness constraint"
    #expect(try reasons(constraint("x")) == [.unknownProperty("x", of: "A", what: what)])
    #expect(try reasons(constraint("b")) == [.unknownProperty("b", of: "A", what: what)])
    #expect(try reasons(constraint("t")) == [.unstoredProperty("t", what: what)])
    #expect(try reasons(constraint("a", "a")) == [.repeatedInIndex("a")])
    #expect(try reasons(constraint()) == [.empty(what)])
    #expect(try reasons(constraint("a") + constraint("a")) == [.repeatedInIndex("a")])
  }
}
