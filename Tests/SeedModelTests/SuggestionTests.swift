import SeedModel
import Testing

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1),
    ("ab", "ba", 1), ("build", "biuld", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func `the distance counts edits and swaps`(first: String, second: String, distance: Int) {
    #expect(Suggestion.editDistance(Array(first), Array(second)) == distance)
  }

  @Test(arguments: [
    ("biuld", "build"), ("bild", "build"), ("BUILD", "build"), ("insp", "inspect"),
    ("verfy", "verify"), ("xyz", nil), ("", nil), ("b", nil), ("schemata", "schema"),
  ])
  func `the nearest name is found only when it is near`(text: String, name: String?) {
    let names = ["build", "schema", "inspect", "verify", "help"]
    #expect(Suggestion.nearest(to: text, in: names) == name)
  }

  @Test func `an exact prefix does not win over a nearer name`() {
    #expect(Suggestion.nearest(to: "forma", in: ["formatter", "format"]) == "format")
  }
}
