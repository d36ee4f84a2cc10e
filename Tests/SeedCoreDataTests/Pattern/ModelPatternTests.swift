import SeedBuilder
import SeedModel
import TestSupport
import Testing

@testable import SeedCoreData

/// The regular expressions of models.
@Suite struct ModelPatternTests {
  @Test(arguments: [
    ("(a+)+$", String(repeating: "a", count: 5_000) + "!", ModelPattern.Outcome.differs),
    ("(a+)+$", String(repeating: "a", count: 5_000), .matches),
    ("(a|aa)*b", String(repeating: "a", count: 5_000), .differs),
    ("(.*)*(.*)*,", String(repeating: "x", count: 5_000), .differs),
    ("(x{0,10}y?){0,10}z", String(repeating: "x", count: 1_000), .differs),
  ])
  func `an expression that makes others go back for ever does not`(
    pattern: String, text: String, outcome: ModelPattern.Outcome
  ) throws {
    #expect(try #require(ModelPattern(pattern)).compare(text) == outcome)
  }

  @Test(arguments: [
    "[a-z]+(-[a-z]+)*", "^\\d{3}-\\d{2,4}$", "a|bc|", "(?:ab?)+?c", "[^\\]x]\\.[.]\\\\",
    "\\p{Lu}\\w*",
    "x{0}y{2,}", "\\Aé+\\z", "(a(b(c|d)e?)*)+", ".*", "\\s*[\\w.+-]+@[\\w-]+\\.\\w{2,}\\s*",
    "^a|b$",
  ])
  func `an automaton says what Swift's own engine says`(pattern: String) throws {
    let expression = try #require(ModelPattern.expression(pattern))
    let automaton = try #require(PatternParser.parse(pattern).flatMap { PatternAutomaton($0) })
    let texts = [
      "", "a", "b", "abc", "abac", "ab-cd", "123-45", "123-4", "bc", "ac", "y.x\\", "yy", "yyy",
      "x",
      "Ärger", "äb", "é", "éé", "abcede", "abx", "line\nbreak", " ann@b-c.de ", "a@b", "z..\\",
      "١٢٣-٤٥",
    ]
    for text in texts {
      let expected = try expression.wholeMatch(in: text) != nil
      #expect(
        automaton.compare(text) == (expected ? .matches : .differs), "\(pattern) on \(text)")
    }
  }

  @Test(arguments: [
    "(a)\\1", "(?=a)a", "(?i)a", "a++", "(?>a)", "a\\b", "(a$)|b", "x^", "(?<n>a)", "\\Qa\\E",
    "[\\q{ab}]",
    "(x{1000}){1000}", "e\u{301}+",
  ])
  func `what is not regular is left to the other engine`(pattern: String) {
    #expect(PatternParser.parse(pattern).flatMap { PatternAutomaton($0) } == nil)
  }

  @Test(arguments: [
    ("\\w+", "हिन्दी", true), ("^[\\w.\\- ]{2,40}$", "Zoe\u{308}", true), ("\\w+", "a\u{200D}b", true),
    ("\\d+", "12٣", true), ("\\d", "²", false), ("[0-9\\d]+", "½", false), ("\\D", "①", true),
    ("[^\\d]", "²", true), ("\\W", "é", false), ("\\s+", " \u{A0}\t", true),
    ("(?=\\d)\\d", "²", false),
    ("\\\\d", "\\d", true), ("[\\]\\d]+", "]1", true),
  ])
  func `classes of characters are those of ICU`(pattern: String, text: String, matches: Bool) throws
  {
    let outcome = try #require(ModelPattern(pattern)).compare(text)
    #expect(outcome == (matches ? .matches : .differs))
  }

  @Test(arguments: ["[", "[^", "[a&&"])
  func `sets that are too deep for the parser are not read`(opening: String) {
    let pattern =
      String(repeating: opening, count: 3_000) + "a" + String(repeating: "]", count: 3_000)
    #expect(ModelPattern(pattern) == nil)
  }

  @Test(arguments: [
    ("(?i)σ+", "ΣσΣς", true), ("(?i)ΌΔΌΣ", "όδός", true), ("(?i)k", "\u{212A}", true),
    ("(?i)[α-ω]+", "ς", true), ("(?i)σ", "τ", false), ("σ", "ς", false),
    ("(?i)straſe", "STRASE", true),
  ])
  func `letters are the same without regard to case as ICU has it`(
    pattern: String, text: String, matches: Bool
  ) throws {
    let outcome = try #require(ModelPattern(pattern)).compare(text)
    #expect(outcome == (matches ? .matches : .differs))
  }

  @Test(arguments: [
    (
      String(repeating: "(", count: 3_000) + "a" + String(repeating: ")", count: 3_000),
      "too deeply"
    ),
    (String(repeating: "[", count: 60) + "a" + String(repeating: "]", count: 60), "too deeply"),
    ("a(?i:σ)", "several small forms"), ("\\p{NoSuchProperty}", "does not read it"),
  ])
  func `an expression that cannot be compared with is told with its attribute, line and reason`(
    pattern: String, reason: String
  ) throws {
    #expect(ModelPattern(pattern) == nil)
    let model =
      "<entity name=\"E\">\n<attribute name=\"a\" optional=\"YES\" attributeType=\"String\" "
      + "regularExpressionString=\"\(pattern)\"/></entity>"
    let store = try FilledStore("<R><E a=\"x\"/></R>", model: model)
    let remark = try #require(store.remarks.first)
    #expect(store.remarks.count == 1)
    #expect(remark.severity == .warning && remark.location?.line == 3)
    #expect(
      remark.message.hasPrefix("values of E.a are not compared with its regular expression: "))
    #expect(remark.message.contains(reason), "\(remark.message)")
    let read = try StoreModel(StoreOptions(model: store.directory.path("contents")))
    let findings = try Verification.findings(
      inDatabaseAt: store.path, with: StoreVerification(model: read, now: 0))
    #expect(findings.map(\.code) == [.storePattern])
    #expect(findings.first?.message.contains("contents:3") == true)
    #expect(findings.first?.message.hasSuffix(remark.message) == true)
  }

  @Test func `an expression that looks ahead gets some time and no more`() throws {
    let expression = try #require(ModelPattern.expression("(?=a)(a+)+$"))
    let timed = TimedExpression(expression, milliseconds: 20)
    #expect(timed.compare("aaa") == .matches)
    #expect(timed.compare("b") == .differs)
    // Its thread goes on until it is through, so it must not be for ever.
    #expect(timed.compare(String(repeating: "a", count: 16) + "!") == .takesTooLong)
  }

  @Test func `a value that takes too long is refused with the expression`() throws {
    // Each character stands in as many ways as there are pieces.
    let pattern = "(x*){10}"
    var attribute = ModelAttribute("a", .string, at: SourceLocation(file: "contents"))
    attribute.bounds.pattern = pattern
    let check = try #require(BoundsCheck(attribute, mostLooks: 1_000))
    func fault(_ text: String) -> String? {
      Array(text.utf8).withUnsafeBufferPointer { check.fault(ofText: $0) }
    }
    #expect(fault("xxx") == nil)
    #expect(fault("y") == "does not match the model's expression \(pattern)")
    #expect(
      fault(String(repeating: "x", count: 100))
        == "takes too long to be compared with the model's expression \(pattern)")
  }
}
