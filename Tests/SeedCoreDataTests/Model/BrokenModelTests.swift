import SeedInput
import SeedModel
import Testing

@testable import SeedCoreData

/// Files that are damaged in any way end in an error with a place, never in a crash or a model.
@Suite struct BrokenModelTests {
  private static let whole = Array(ModelText.contents(LibraryModel.body).utf8)

  /// Where the error of a file is; nil when it has none.
  private func place(of bytes: [UInt8]) throws -> SeedModel.SourceLocation? {
    do {
      _ = try ModelReader.read(try XMLElementReader.read(BytesSource(bytes), name: "contents"))
      return nil
    } catch let error as InputError {
      return error.location
    } catch let errors as ModelErrors {
      return errors.errors.first?.location
    }
  }

  @Test func `a file that is cut anywhere is an error with a line`() throws {
    // Without its last line break it is whole.
    for count in stride(from: 1, to: Self.whole.count - 1, by: 7) {
      let place = try place(of: Array(Self.whole.prefix(count)))
      #expect(place?.line ?? 0 > 0, "cut after \(count) bytes")
    }
    #expect(try place(of: []) != nil)
    #expect(try place(of: Self.whole) == nil)
  }

  @Test func `a file without one of its lines is a model or an error with a line`() throws {
    let lines = Self.whole.split(separator: 0x0A, omittingEmptySubsequences: false)
    var errorCount = 0
    for missing in lines.indices.dropLast() {
      let rest = lines.indices.filter { $0 != missing }.map { lines[$0] }
      let place = try place(of: Array(rest.joined(separator: [0x0A])))
      if let place {
        #expect(place.line > 0, "without line \(missing + 1)")
        errorCount += 1
      }
    }
    // The tags of entities, inverses, and what constraints name.
    #expect(errorCount >= 15)
  }

  @Test func `a file with one byte changed is a model or an error with a line`() throws {
    var generator = SeededGenerator(state: 42)
    for _ in 0..<300 {
      var bytes = Self.whole
      let index = Int(generator.next() % UInt64(bytes.count))
      bytes[index] = UInt8(truncatingIfNeeded: generator.next())
      if let place = try place(of: bytes) {
        // What cannot even be decoded may be known by the file only.
        #expect(place.file == "contents", "byte \(index) is \(bytes[index])")
      }
    }
  }

  @Test func `bounds keep a hostile model small`() throws {
    let chain = (0...200).map {
      "<entity name=\"E\($0)\"\($0 > 0 ? " parentEntity=\"E\($0 - 1)\"" : "")/>"
    }.joined(separator: "\n")
    let reasons = try ModelText.errors(chain).map(\.reason)
    #expect(reasons.contains(.tooMany("levels of inheritance", limit: 100)))
    let wide = (0...2000).map { "<attribute name=\"a\($0)\" attributeType=\"Date\"/>" }.joined()
    #expect(
      try ModelText.errors("<entity name=\"A\">\(wide)</entity>").map(\.reason)
        == [.tooMany("properties of \"A\"", limit: 2_000)])
    let many = (0...2000).map { "<entity name=\"A\($0)\"/>" }.joined()
    #expect(try ModelText.errors(many).map(\.reason) == [.tooMany("entities", limit: 2_000)])
  }
}

/// Numbers that look random and are the same in every run (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
