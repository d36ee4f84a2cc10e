import SeedMerge
import Testing

@Suite struct DeclaredTableTests {
  @Test func `tables are equal by name, key and columns`() {
    let table = DeclaredTable(name: "product", key: ["id"], columns: ["id", "name"])
    #expect(table == DeclaredTable(name: "product", key: ["id"], columns: ["id", "name"]))
    #expect(table != DeclaredTable(name: "product", key: ["name"], columns: ["id", "name"]))
  }
}
