import SeedTransport
import TestSupport
import Testing

@testable import SeedStreams

/// Answers that are not what they should be: a clear error with its place, and the old rows stay.
@Suite struct HyperHiveBrokenAnswerTests {
  /// A database with rows, and a server whose next answers are broken.
  private func bench(_ body: String, version: String? = nil) throws -> HyperHiveBench {
    let bench = try HyperHiveBench()
    try bench.load()
    bench.server.change { state in
      state.fault = { _ in
        .answer(HTTPAnswer(200, version.map { [("Content-Version", $0)] } ?? [], text: body))
      }
    }
    return bench
  }

  private func error(_ body: String) throws -> HyperHiveError? {
    let bench = try bench(body)
    let error = try bench.failure { $0.extent = .whole }
    #expect(try bench.rows() == ["1|0.5|apple", "2|2.0|pêr", "3|NULL|ki\"wi"])
    #expect(try bench.leftovers == [])
    return error
  }

  private static let good =
    #"[{"name":"list","more":{"a":[1,{}]},"data":[[1,1.5,"a\u00e9"],[2,null,"b"]]}]"#

  @Test func `a document that is cut at any byte is an error`() throws {
    let bytes = Array(Self.good.utf8)
    let bench = try HyperHiveBench()
    try bench.load()
    for count in 0..<bytes.count {
      let answer = HTTPAnswer(200, body: Array(bytes[..<count]))
      bench.server.change { $0.fault = { _ in .answer(answer) } }
      let error = try bench.failure { $0.extent = .whole }
      #expect(
        error?.message.contains("ends early") == true, "\(count): \(String(describing: error))")
    }
    #expect(try bench.rows().count == 3)
    let answer = HTTPAnswer(200, body: bytes)
    bench.server.change { $0.fault = { _ in .answer(answer) } }
    try bench.load { $0.extent = .whole }
    #expect(try bench.rows() == ["1|1.5|aé", "2|NULL|b"])
  }

  @Test(arguments: [
    // A row of another length.
    (#"[{"name":"list","data":[[1,2,"a"],[2,3]]}]"#, #"table "list", row 2"#, "2 values"),
    (#"[{"name":"list","data":[[1,2,"a",4]]}]"#, #"table "list", row 1"#, "more than 3"),
    (#"[{"name":"list","data":[[]]}]"#, #"table "list", row 1"#, "0 values"),
    // Values of another type.
    (
      #"[{"name":"list","data":[["1",2,"a"]]}]"#, #"table "list", row 1, column "id""#,
      "a string where an integer is declared (byte 25)"
    ),
    (#"[{"name":"list","data":[[1.5,2,"a"]]}]"#, #"column "id""#, "with a fraction"),
    (#"[{"name":"list","data":[[9223372036854775808,2,"a"]]}]"#, #"column "id""#, "too large"),
    (#"[{"name":"list","data":[[1,"2","a"]]}]"#, #"column "price""#, "a string where a number"),
    (#"[{"name":"list","data":[[1,1e999,"a"]]}]"#, #"column "price""#, "too large"),
    (#"[{"name":"list","data":[[1,2,3]]}]"#, #"column "name""#, "a number where a text"),
    (#"[{"name":"list","data":[[1,2,true]]}]"#, #"column "name""#, "a truth value where a text"),
    (#"[{"name":"list","data":[[1,2,["a"]]]}]"#, #"column "name""#, "an array where a text"),
    (#"[{"name":"list","data":[[null,2,"a"]]}]"#, #"column "id""#, "null where the id"),
    (#"[{"name":"list","data":[7]}]"#, #"table "list", row 1"#, "a row"),
    (#"[{"name":"list","data":7}]"#, #"table "list""#, "the rows"),
    // Strings and numbers that JSON does not have.
    ("[{\"name\":\"list\",\"data\":[[1,2,\"a\tb\"]]}]", #"column "name""#, "control character"),
    (#"[{"name":"list","data":[[1,2,"\x"]]}]"#, #"column "name""#, "an escape"),
    (#"[{"name":"list","data":[[1,2,"\ud800"]]}]"#, #"column "name""#, "surrogate"),
    (#"[{"name":"list","data":[[1,2,"\ud800\u0041"]]}]"#, #"column "name""#, "surrogate"),
    (#"[{"name":"list","data":[[01,2,"a"]]}]"#, #"column "id""#, "a number that JSON"),
    (#"[{"name":"list","data":[[1,2.,"a"]]}]"#, #"column "price""#, "a number that JSON"),
    (#"[{"name":"list","data":[[1,NaN,"a"]]}]"#, #"column "price""#, "a value"),
    (#"[{"name":"list","data":[[1,2,"a"],]}]"#, "row 2", "a row"),
    // The document around the rows.
    (
      #"[{"name":"list","data":[]},{"name":"list","data":[]}]"#, #"table "list""#, "stands twice"
    ),
    (#"[{"name":"list","data":[],"data":[]}]"#, #"table "list""#, "stands twice"),
    (#"[{"name":"list"}]"#, #"table "list""#, "neither rows nor changes"),
    (#"[{"data":[]}]"#, "fruits", "no \"name\""),
    (#"[{"name":7,"data":[]}]"#, "fruits", "no string"),
    (#"[{"name":"list","data":[],"delete_ids":[]}]"#, #"table "list""#, "whole was asked for"),
    (#"[{"name":"list","insert_rows":[]}]"#, #"table "list""#, "whole was asked for"),
    (#"[]"#, #"table "list""#, "lacks the table"),
    (#"[{"name":"list","data":[]}] x"#, "fruits", "behind the document"),
    (#"{"name":"list","data":[]}"#, "fruits", "an object in place of a list"),
    (#"7"#, "fruits", "a list of tables"),
    ("<!DOCTYPE html><html>Log in</html>", "fruits", "web page"),
    (#"{"code":500,"description":"Broken Pipe"}"#, "fruits", "Broken Pipe"),
  ])
  func `a broken answer is an error with its place`(
    body: String, place: String, words: String
  ) throws {
    let error = try error(body)
    #expect(error?.place.contains(place) == true, "\(String(describing: error))")
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
  }

  @Test func `bytes that are not UTF-8 are an error`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] {
      let body = Array(#"[{"name":"list","data":[[1,2,""#.utf8) + bytes + Array(#""]]}]"#.utf8)
      bench.server.change { $0.fault = { _ in .answer(HTTPAnswer(200, body: body)) } }
      let error = try bench.failure { $0.extent = .whole }
      #expect(error?.message.contains("not UTF-8") == true)
    }
    #expect(try bench.rows().count == 3)
  }

  @Test func `the deletion of a row that is not there is an error, and then the whole comes`()
    throws
  {
    let bench = try bench(
      #"[{"name":"list","insert_rows":[[9,1,"x"]],"delete_ids":[1,77]}]"#, version: "delta v1-v2")
    let error = try bench.failure()
    #expect(error?.place == #"table "list""#)
    #expect(error?.message.contains("\"77\"") == true)
    #expect(try bench.rows().count == 3)
    bench.server.change { $0.fault = { _ in nil } }
    #expect(try bench.load().outcome == .whole)
  }

  @Test func `members of a table may come in any order`() throws {
    let bench = try bench(
      #"[{"insert_rows":[[1,1,"new"]],"x":"}]","delete_ids":[1,2],"name":"list"}]"#,
      version: "delta v1-v2")
    try bench.load()
    #expect(try bench.rows() == ["1|1.0|new", "3|NULL|ki\"wi"])
    let whole = try self.bench(#"[{"data":[[1,1,"x"]],"name":"list"}]"#)
    try whole.load { $0.extent = .whole }
    #expect(try whole.rows() == ["1|1.0|x"])
  }

  @Test func `numbers are taken by their value`() throws {
    let bench = try bench(
      #"[{"name":"list","data":[[-9223372036854775808,-0.0,""],[3.0,1e-3,"\u0000a"],[4e2,0.1,"𝄞\ud834\udd1e\/"]]}]"#
    )
    try bench.load { $0.extent = .whole }
    #expect(
      try bench.rows() == [
        "-9223372036854775808|0.0|", "3|0.001|\0a", "400|0.1|𝄞𝄞/",
      ])
  }

  @Test func `a packed answer is unpacked, and one that is cut is an error`() throws {
    let bench = try HyperHiveBench()
    let packed = try Gzip.packed(Self.good)
    bench.server.change { $0.fault = { _ in .gzip(packed) } }
    try bench.load()
    #expect(try bench.rows() == ["1|1.5|aé", "2|NULL|b"])
    let cut = Array(packed.dropLast(9))
    bench.server.change { $0.fault = { _ in .gzip(cut) } }
    #expect(try bench.failure { $0.extent = .whole }?.source == .transport)
    #expect(try bench.rows().count == 2)
  }

  @Test(arguments: [5, 64, 4096])
  func `rows across the edges of the window come out as they are`(capacity: Int) throws {
    let texts = (0..<300).map { String(repeating: "é\\n", count: $0 % 40) }
    let document = "[" + texts.map { #""\#($0)""# }.joined(separator: " ,\n ") + "]"
    let bytes = Array(document.utf8)
    var scanner = JSONScanner(capacity: capacity) { buffer, offset in
      // Reads come in pieces, as from any file.
      let piece = bytes.dropFirst(Int(offset)).prefix(min(buffer.count, 7))
      buffer.copyBytes(from: piece)
      return piece.count
    }
    var found: [String] = []
    #expect(try scanner.opensList(UInt8(ascii: "["), UInt8(ascii: "]"), "texts"))
    repeat {
      found.append(try read(&scanner))
    } while try scanner.takesNext(
      before: UInt8(ascii: "]"))
    #expect(found == texts.map { $0.replacing("\\n", with: "\n") })
  }

  private func read(_ scanner: inout JSONScanner) throws -> String {
    _ = try scanner.peek()
    return try scanner.text()
  }
}
