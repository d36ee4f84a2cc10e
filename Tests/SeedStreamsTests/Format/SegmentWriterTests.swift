import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite
import SeedStreams
import Testing

@Suite struct SegmentWriterTests {
  private static let header = SegmentHeader(
    stream: "catalog", epoch: 1_767_225_600, from: 1040, to: 1042, ids: ["c0ff", "5a5a", "b194"])

  /// Writes a segment and unpacks it.
  private func segment(
    _ body: (SegmentWriter) throws -> Void
  ) throws -> (text: String, stored: [UInt8], totals: SegmentWriter.Totals) {
    var stored: [UInt8] = []
    let writer = SegmentWriter(Self.header) { stored.append(contentsOf: $0) }
    try body(writer)
    let totals = try writer.finish()
    return (String(decoding: try unpacked(stored), as: UTF8.self), stored, totals)
  }

  private func unpacked(_ stored: [UInt8]) throws -> [UInt8] {
    let inflation = GzipInflation()
    var output = [UInt8](repeating: 0, count: 1 << 22)
    let result = stored.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { inflation.inflate(input, into: $0) }
    }
    // One member, and nothing behind it.
    #expect(result.state == .ended)
    #expect(result.taken == stored.count)
    return Array(output[..<result.given])
  }

  @Test func `sections, rows and the end are lines of JSON`() throws {
    let (text, _, totals) = try segment { writer in
      try writer.begin(SegmentSection(table: "category", kind: .delete, columns: ["id"]))
      try writer.appendRow([.integer(12)])
      try writer.begin(
        SegmentSection(table: "product", kind: .upsert, columns: ["id", "name", "price", "thumb"]))
      try writer.appendRow([.integer(1), .text("Anvil"), .real(19.5), .null])
      try writer.appendRow([.integer(7), .text("Rope"), .real(4), .blob([0, 1, 2, 3])])
    }
    #expect(
      text == """
        {"segment":1,"stream":"catalog","epoch":1767225600,"from":1040,"to":1042,\
        "ids":["c0ff","5a5a","b194"]}
        {"table":"category","delete":["id"]}
        [12]
        {"table":"product","upsert":["id","name","price","thumb"]}
        [1,"Anvil",19.5,null]
        [7,"Rope",4.0,{"b":"AAECAw=="}]
        {"end":{"rows":3}}

        """)
    #expect(totals.rows == 3)
    #expect(totals.plainSize == Int64(text.utf8.count))
  }

  @Test(arguments: [
    (SQLiteValue.integer(.max), "9223372036854775807"),
    (.integer(.min), "-9223372036854775808"), (.integer(0), "0"), (.integer(-10), "-10"),
    (.real(1), "1.0"), (.real(0.1), "0.1"), (.real(1e300), "1e+300"),
    (.real(-.leastNonzeroMagnitude), "-5e-324"),
    (.real(9_007_199_254_740_992), "9007199254740992.0"),
    (.real(.infinity), "{\"r\":\"inf\"}"), (.real(-.infinity), "{\"r\":\"-inf\"}"),
    (.blob([]), "{\"b\":\"\"}"), (.blob([255]), "{\"b\":\"/w==\"}"), (.null, "null"),
    (.text(""), "\"\""),
    (
      .text("a\"b\\c\n\r\t\u{0}\u{1F}\u{7F}é\u{2028}😀"),
      "\"a\\\"b\\\\c\\n\\r\\t\\u0000\\u001f\u{7F}é\u{2028}😀\""
    ),
  ])
  func `a value has one form`(value: SQLiteValue, text: String) throws {
    var lines = SegmentText()
    try lines.appendRow([value, value])
    #expect(String(decoding: lines.bytes, as: UTF8.self) == "[\(text),\(text)]\n")
  }

  @Test func `a row of a query is written as its values are`() throws {
    let connection = try Connection.inMemory()
    let statement = try connection.prepare(
      "SELECT 'not this', 1, 2.0, 'x', x'00ff', NULL, 9223372036854775807, 1e999")
    #expect(try statement.step())
    var lines = SegmentText()
    try lines.appendRow(of: statement, columns: 1..<8)
    #expect(
      String(decoding: lines.bytes, as: UTF8.self)
        == "[1,2.0,\"x\",{\"b\":\"AP8=\"},null,9223372036854775807,{\"r\":\"inf\"}]\n")
    #expect(lines.rowCount == 1)
  }

  @Test(arguments: [
    "x'ff'", "x'c0af'", "x'eda080'", "x'f4908080'", "x'e282'", "x'61c3'", "x'80'", "x'f0808080'",
  ])
  func `a text that is not UTF-8 is refused with its column`(bytes: String) throws {
    let connection = try Connection.inMemory()
    let statement = try connection.prepare("SELECT 1, 'ok', CAST(\(bytes) AS TEXT)")
    #expect(try statement.step())
    var lines = SegmentText()
    #expect(throws: SegmentText.Failure.invalidText(column: 2)) {
      try lines.appendRow(of: statement, columns: 0..<3)
    }
    #expect(lines.bytes.isEmpty)
    #expect(lines.rowCount == 0)
  }

  @Test func `digests and sizes are those of the stored and of the plain bytes`() throws {
    let (text, stored, totals) = try segment { writer in
      try writer.begin(SegmentSection(table: "t", kind: .upsert, columns: ["id", "v"]))
      for id in 0..<20_000 { try writer.appendRow([.integer(Int64(id)), .text("row \(id)")]) }
    }
    #expect(totals.size == Int64(stored.count))
    #expect(totals.sha256 == sha256(stored))
    #expect(totals.plainSHA256 == sha256(Array(text.utf8)))
    #expect(totals.rows == 20_000)
    #expect(text.hasSuffix("[19999,\"row 19999\"]\n{\"end\":{\"rows\":20000}}\n"))
    // Flags 0: no name; four bytes of time.
    #expect(Array(stored[..<8]) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
  }

  @Test func `the same rows give the same bytes`() throws {
    let one = try segment { try $0.appendRow([.integer(1)]) }
    let other = try segment { try $0.appendRow(encoded: Array("[1]".utf8)) }
    let third = try segment { writer in
      try Array("[1]\n".utf8).withUnsafeBytes { try writer.append(lines: $0, rowCount: 1) }
    }
    #expect(one.stored == other.stored)
    #expect(one.stored == third.stored)
  }

  private func sha256(_ bytes: [UInt8]) -> String {
    var digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.hexadecimal()
  }
}
