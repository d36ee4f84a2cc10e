import SeedSQLite
import SeedStreams
import TestSupport
import Testing

@Suite struct SegmentReaderTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static let header =
    #"{"segment":1,"stream":"s","epoch":5,"from":1,"to":3,"ids":["a","b","c"],"more":true}"#

  private func file(
    _ text: String, encoding: SegmentFile.Encoding = .gzip, plainByteCount: Int? = nil,
    change: (inout [UInt8]) -> Void = { _ in }
  ) throws -> SegmentFile {
    var bytes = Array(text.utf8)
    let count = plainByteCount ?? bytes.count
    if encoding == .gzip { bytes = ReferenceEncoding.gzip(bytes) }
    change(&bytes)
    return SegmentFile(
      path: try directory.write(bytes, to: "segment"), encoding: encoding,
      plainByteCount: Int64(count), epoch: 5, from: 1, to: 3, lastID: "c")
  }

  /// Reads all of a file: the rows that were seen before the end or the error.
  private func read(_ file: SegmentFile) throws -> Int64 {
    let reader = try SegmentReader(file, stream: "s")
    while true {
      if case .end(let rowCount) = try reader.next() { return rowCount }
    }
  }

  private func problem(_ file: SegmentFile) -> String? {
    do {
      _ = try read(file)
      return nil
    } catch {
      return (error as? SegmentError)?.description ?? "\(error)"
    }
  }

  private func problem(_ lines: String...) throws -> String? {
    problem(try file(([Self.header] + lines).map { $0 + "\n" }.joined()))
  }

  private let section = #"{"table":"t","upsert":["a","b"],"unknown":1}"#
  private let end = #"{"end":{"rows":1}}"#

  @Test(arguments: [SegmentFile.Encoding.gzip, .plain])
  func `a segment is read to its end`(encoding: SegmentFile.Encoding) throws {
    let text = [Self.header, section, "[1,2]", end].map { $0 + "\n" }.joined()
    let file = try file(text, encoding: encoding)
    let reader = try SegmentReader(file, stream: "s")
    #expect(reader.header.ids == ["a", "b", "c"])
    #expect(
      try reader.next()
        == .section(SegmentSection(table: "t", kind: .upsert, columns: ["a", "b"])))
    #expect(try reader.next() == .row)
    #expect(reader.values[1].bits == 2)
    #expect(try reader.next() == .end(rowCount: 1))
  }

  @Test func `lines longer than the buffers are read, up to the bound`() throws {
    let long = String(repeating: "x", count: 1 << 20)
    let text = [Self.header, section, "[1,\"\(long)\"]", end].map { $0 + "\n" }.joined()
    #expect(try read(try file(text)) == 1)
    let huge = String(repeating: "x", count: SegmentLimits.rowBytes + 1)
    let problem = try problem(section, "[1,\"\(huge)\"]", end)
    #expect(problem == "line 3: it has more than 16777216 bytes")
  }

  @Test func `structure that is not that of a segment is an error with its line`() throws {
    #expect(try problem(end, "x") == "line 2: there are 0 rows, and the end says 1")
    #expect(try problem("[1,2]") == "line 2: a row stands outside of a section")
    #expect(try problem("{\"what\":1}") == "line 2: it is of an unknown kind")
    #expect(try problem("x") == "line 2: it is neither a row nor a section")
    #expect(try problem("") == "line 2: it is neither a row nor a section")
    #expect(try problem(section, "[1,2]") == "line 4: the end is missing")
    #expect(try problem(section, "[1,2]", end, "") == "line 5: something follows the end")
    #expect(try problem(section, "[1,2]\r", end) == "line 3: it is no row")
    #expect(
      try problem(#"{"table":"t"}"#) == "line 2: the section is malformed")
    #expect(
      try problem(#"{"table":"t","delete":["a"],"upsert":["a"]}"#)
        == "line 2: the section is malformed")
    #expect(
      try problem(#"{"table":"t","delete":["a","a"]}"#)
        == "line 2: the section's columns are malformed")
    #expect(
      try problem(#"{"table":"t","delete":[]}"#)
        == "line 2: the section's columns are malformed")
    let noLineBreak = problem(try file(Self.header + "\n" + end))
    #expect(noLineBreak == "line 2: it does not end with a line break")
  }

  @Test(arguments: [
    (
      #"{"segment":2,"stream":"s","epoch":5,"from":1,"to":3,"ids":["a","b","c"]}"#,
      "the format is not 1"
    ),
    (
      #"{"segment":1,"stream":"o","epoch":5,"from":1,"to":3,"ids":["a","b","c"]}"#,
      "the stream is not"
    ),
    (
      #"{"segment":1,"stream":"s","epoch":6,"from":1,"to":3,"ids":["a","b","c"]}"#,
      "the epoch is not"
    ),
    (#"{"segment":1,"stream":"s","epoch":5,"from":2,"to":3,"ids":["b","c"]}"#, "the range is not"),
    (#"{"segment":1,"stream":"s","epoch":5,"from":1,"to":3,"ids":["a","c"]}"#, "the count of ids"),
    (#"{"segment":1,"stream":"s","epoch":5,"from":1,"to":3,"ids":["a","b","x"]}"#, "the last id"),
    (
      #"{"segment":1,"stream":"s","epoch":5,"from":1,"to":3,"ids":["a",2,"c"]}"#, "the header lacks"
    ),
    (#"{"stream":"s"}"#, "it is no segment"), ("[1]", "it is no object"), ("{", "it is no JSON"),
  ])
  func `a header that is not what the stream says is refused`(
    header: String, expected: String
  ) throws {
    let problem = try #require(problem(try file(header + "\n{\"end\":{\"rows\":0}}\n")))
    #expect(problem.hasPrefix("line 1: \(expected)"), "\(problem)")
  }

  @Test func `damaged, cut and padded archives are refused`() throws {
    let text = [Self.header, section, "[1,2]", end].map { $0 + "\n" }.joined()
    let whole = ReferenceEncoding.gzip(Array(text.utf8))
    for count in 0..<whole.count {
      let cut = try file(text) { $0 = Array($0.prefix(count)) }
      #expect(problem(cut) != nil, "cut after \(count) bytes")
    }
    #expect(
      problem(try file(text) { $0.append(0) }) == "something follows the gzip data")
    #expect(
      problem(try file(text) { $0 += whole }) == "something follows the gzip data")
    let wrongSum = problem(try file(text) { $0[$0.count - 5] ^= 1 })
    #expect(wrongSum?.hasPrefix("the gzip data is damaged") == true)
    let longer = problem(try file(text, plainByteCount: text.utf8.count - 1))
    #expect(longer?.hasPrefix("the text is not") == true)
    let shorter = problem(try file(text, plainByteCount: text.utf8.count + 1))
    #expect(shorter?.hasPrefix("the text is not") == true)
  }

  @Test func `a bomb is left as soon as it is longer than it says`() throws {
    let text = String(repeating: "x", count: 50 << 20)
    let problem = problem(try file(text, plainByteCount: 1000))
    #expect(problem == "the text is not 1000 bytes long, as the stream says")
  }
}
