import SeedModel
import Testing

@Suite struct QualifiedNameTests {
  private func name(
    _ local: String, _ prefix: String? = nil, _ namespace: String? = nil
  ) -> QualifiedName {
    QualifiedName(local: local, prefix: prefix, namespace: namespace)
  }

  @Test func `the prefix does not matter where there is a namespace`() {
    #expect(name("a", "p", "u") == name("a", "q", "u"))
    #expect(name("a", "p", "u") == name("a", nil, "u"))
    #expect(name("a", "p", "u") != name("a", "p", "v"))
    #expect(name("a", "p", "u") != name("a", "p"))
  }

  @Test func `an undeclared prefix is part of the name`() {
    #expect(name("a", "p") != name("a", "q"))
    #expect(name("a", "p") != name("a"))
  }

  @Test func `names that look alike but are written otherwise are different`() {
    #expect(name("e\u{301}") != name("\u{E9}"))
    #expect(name("a", "p", "e\u{301}") != name("a", "p", "\u{E9}"))
  }

  @Test func `equal names have one hash`() {
    #expect(name("a", "p", "u").hashValue == name("a", "q", "u").hashValue)
  }

  @Test func `names that differ in their namespace only spread over a set`() {
    let hashes = Set((0..<100).map { name("a", nil, "urn:\($0)").hashValue })
    #expect(hashes.count > 90)
  }
}
