import SeedFiles
import SeedStreams
import Testing

@Suite struct SchemaDigestTests {
  private func sha256(_ text: String) -> String {
    var digest = SHA256Digest()
    Array(text.utf8).withUnsafeBytes { digest.update($0) }
    return digest.hexadecimal()
  }

  @Test func `the digest is over a line a table, sorted by bytes`() {
    let tables = [
      StreamTable(
        name: "é\"", key: ["b", "a"],
        columns: [
          StreamColumn(name: "b", affinity: "TEXT"), StreamColumn(name: "Z", affinity: "BLOB"),
          StreamColumn(name: "a", affinity: "INTEGER"),
        ]),
      StreamTable(
        name: "Product", key: ["id"], columns: [StreamColumn(name: "id", affinity: "INTEGER")]),
    ]
    let text = """
      ["Product",["id"],[["id","INTEGER"]]]
      ["é\\"",["b","a"],[["Z","BLOB"],["a","INTEGER"],["b","TEXT"]]]

      """
    #expect(SchemaDigest.compute(tables) == String(sha256(text).prefix(16)))
    #expect(SchemaDigest.compute(tables.reversed()) == SchemaDigest.compute(tables))
  }

  @Test func `the order of a key counts, that of the columns does not`() {
    func digest(key: [String], columns: [String]) -> String {
      SchemaDigest.compute([
        StreamTable(
          name: "t", key: key,
          columns: columns.map { StreamColumn(name: $0, affinity: "TEXT") })
      ])
    }
    #expect(
      digest(key: ["a", "b"], columns: ["a", "b"]) == digest(key: ["a", "b"], columns: ["b", "a"]))
    #expect(
      digest(key: ["a", "b"], columns: ["a", "b"]) != digest(key: ["b", "a"], columns: ["a", "b"]))
  }

  @Test func `a checkpoint's id is chained to the one before`() {
    var chain = CheckpointChain(after: "0000000000000000")
    Array("{\"end\":{\"rows\":0}}\n".utf8).withUnsafeBytes { chain.update($0) }
    #expect(chain.id() == String(sha256("0000000000000000{\"end\":{\"rows\":0}}\n").prefix(16)))
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    (1_767_225_599, "2025-12-31T23:59:59Z"), (4_102_444_800, "2100-01-01T00:00:00Z"),
  ])
  func `a time is written in RFC 3339 and read again`(seconds: Int64, text: String) {
    #expect(UTCTime.text(seconds) == text)
    #expect(UTCTime.seconds(text) == seconds)
  }

  @Test(arguments: ["", "2026-13-01T00:00:00Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00"])
  func `another form of a time is none`(text: String) {
    #expect(UTCTime.seconds(text) == nil)
  }
}
