import SeedModel
import Testing

@testable import SeedInput

@Suite struct GzipSourceTests {
  private func unpack(_ bytes: [UInt8], pieceSize: Int = .max, step: Int = 4_096) throws -> [UInt8]
  {
    try PieceSource.drain(
      GzipSource(PieceSource(bytes, pieceSize: pieceSize), name: "a.gz"), step: step)
  }

  static let text = (0..<8_000).map { "line \($0)\n" }.joined()

  @Test(arguments: [(1, 4_096), (7, 3), (65_536, 65_536), (Int.max, 1_000)])
  func `a member is unpacked in any pieces`(pieceSize: Int, step: Int) throws {
    let packed = GzipMember.make(Self.text.utf8, name: "a.xml")
    #expect(try unpack(packed, pieceSize: pieceSize, step: step) == Array(Self.text.utf8))
  }

  @Test(arguments: [1, 2, 19, Int.max])
  func `several members follow each other`(pieceSize: Int) throws {
    let packed = ["<r>", "", "<a/>", "</r>"].flatMap { GzipMember.make($0.utf8) }
    #expect(try unpack(packed, pieceSize: pieceSize) == Array("<r><a/></r>".utf8))
  }

  @Test(arguments: [1, 512, Int.max])
  func `zeros behind the last member are padding`(pieceSize: Int) throws {
    let packed = GzipMember.make("<r/>".utf8) + Array(repeating: 0, count: 1_000)
    #expect(try unpack(packed, pieceSize: pieceSize) == Array("<r/>".utf8))
  }

  @Test func `anything else behind it is refused`() {
    let packed = GzipMember.make("<r/>".utf8) + Array("<r/>".utf8)
    #expect(throws: InputError.self) { _ = try unpack(packed) }
  }

  @Test func `a member that is cut anywhere is refused`() throws {
    let packed = GzipMember.make("<r><a>1</a></r>".utf8)
    for count in 1..<packed.count {
      let error = #expect(throws: InputError.self) {
        _ = try unpack(Array(packed.prefix(count)))
      }
      guard case .truncatedGzip(Int64(count), _)? = error?.reason else {
        Issue.record("\(count): \(String(describing: error))")
        return
      }
    }
  }

  @Test func `what is left of a cut member is told in bytes`() throws {
    let whole = GzipMember.make("<r/>".utf8)
    let packed = whole + GzipMember.make(Self.text.utf8)
    let cut = Array(packed.dropLast(4))
    let error = #expect(throws: InputError.self) { _ = try unpack(cut, pieceSize: 1_000) }
    #expect(
      error?.reason
        == .truncatedGzip(byteCount: Int64(cut.count), unpacked: Int64(4 + Self.text.utf8.count)))
    #expect(
      error?.description.hasPrefix("the gzip data is cut off: it ends after \(cut.count) bytes")
        == true)
  }

  @Test func `a wrong checksum, length or header is refused`() {
    for index in [-1, -5, 2] {
      var packed = GzipMember.make("<r><a>1</a></r>".utf8)
      packed[index < 0 ? packed.count + index : index] ^= 0x55
      let error = #expect(throws: InputError.self) { _ = try unpack(packed) }
      if case .damagedGzip? = error?.reason {} else { Issue.record("\(String(describing: error))") }
    }
  }

  @Test func `gzip is told by its first two bytes`() {
    let cases: [([UInt8], Bool)] = [
      ([0x1F, 0x8B, 8], true), ([0x1F], false), ([0x3C, 0x72], false),
    ]
    for (bytes, isGzip) in cases {
      bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        #expect(GzipSource.isGzip(base, count: buffer.count) == isGzip)
      }
    }
  }

  @Test func `a packed document is read`() throws {
    let source = GzipSource(
      PieceSource(GzipMember.make("<r><a x='é'>1</a></r>".utf8), pieceSize: 5), name: "a.gz")
    #expect(try ReadDocument(source).outline == #"<r><a x="é">"1"</a></r>"#)
  }

  @Test func `a document in a cut member is wrong for its cut, or for what is wrong before`() throws
  {
    let packed = GzipMember.make("<r><a x='é'>1</a></r>".utf8).dropLast(9)
    let cut = GzipSource(PieceSource(packed), name: "a.gz")
    let truncated = #expect(throws: InputError.self) { _ = try ReadDocument(cut) }
    guard case .truncatedGzip? = truncated?.reason else {
      Issue.record("\(String(describing: truncated))")
      return
    }
    let wrong = GzipMember.make("<r><a x=1>1</a></r>".utf8).dropLast(9)
    let error = #expect(throws: InputError.self) {
      _ = try ReadDocument(GzipSource(PieceSource(wrong), name: "a.gz"))
    }
    #expect(error?.location.column == 9)
  }
}
