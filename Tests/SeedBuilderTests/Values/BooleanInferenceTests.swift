import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct BooleanInferenceTests {
  @Test func `true and false in lower case are booleans`() {
    #expect(columnType(["true", "false"]) == .boolean(.trueFalse))
    #expect(stored(["true", "", "false"]) == [.integer(1), .null, .integer(0)])
  }

  @Test func `YES and NO in upper case are booleans`() {
    #expect(columnType(["NO", "YES"]) == .boolean(.yesNo))
    #expect(stored(["NO", "YES", ""]) == [.integer(0), .integer(1), .null])
  }

  @Test func `NO without any YES may be Norway`() {
    #expect(columnType(["NO", "NO"]) == .text)
    #expect(stored(["NO", "NO"]) == [.text("NO"), .text("NO")])
  }

  @Test(arguments: [
    ["TRUE"], ["True"], ["true", "TRUE"], ["yes"], ["Yes", "No"], ["true", "YES"], ["false", "NO"],
    ["true", "1"], ["YES", "NO", "SE"], [" true"], ["true "], ["t"], ["Y", "N"], ["truefalse"],
    ["YESNO"], ["tru"], ["fals"],
  ])
  func `other words and mixtures stay TEXT`(values: [String]) {
    #expect(columnType(values) == .text)
    #expect(stored(values) == values.map { .text($0) })
  }
}
