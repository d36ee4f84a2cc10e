import Foundation
import SeedInput
import Testing

/// Random documents, each against the events that its generator knows it must give.
@Suite struct XMLReaderDifferentialTests {
  /// Sizes that cut tags, values, references and characters everywhere, and one that cuts nothing.
  static let pieceSizes = [1, 2, 3, 7, 61, Int.max]

  private func expectSame(_ document: RandomDocument, pieceSize: Int, _ seed: UInt64) throws {
    let read = try ReadDocument(document.source, pieceSize: pieceSize)
    if let index = zip(read.events, document.events).enumerated().first(where: {
      $0.element.0 != $0.element.1
    })?.offset {
      Issue.record(
        """
        seed \(seed), event \(index): \(read.events[index]) instead of \(document.events[index])
        \(document.source.debugDescription)
        """)
    } else {
      #expect(read.events.count == document.events.count, "seed \(seed)")
    }
  }

  @Test(arguments: pieceSizes)
  func `a document without declarations gives what it says`(pieceSize: Int) throws {
    for seed in 0..<150 as Range<UInt64> {
      try expectSame(RandomDocument(seed: seed), pieceSize: pieceSize, seed)
    }
  }

  @Test(arguments: pieceSizes)
  func `a document with entities of its own gives what it says`(pieceSize: Int) throws {
    for seed in 1_000..<1_100 as Range<UInt64> {
      try expectSame(
        RandomDocument(seed: seed, usesEntities: true), pieceSize: pieceSize, seed)
    }
  }

  @Test(arguments: [5_000, 65_536, .max])
  func `a document longer than all buffers gives what it says`(pieceSize: Int) throws {
    let parts = (2_000..<5_000 as Range<UInt64>).map { RandomDocument(seed: $0) }
    var source = "<all>"
    var expected: [TokenEvent] = []
    var line = 1
    for part in parts {
      // Only the root element of each: what may stand before a root may not stand here.
      guard let start = part.source.range(of: "<r"), let end = part.source.range(of: "<?after?>")
      else { continue }
      let root = part.source[start.lowerBound..<end.lowerBound]
      let before = lineEndCount(part.source[..<start.lowerBound])
      expected += part.events.map { event in
        guard case .start(let name, let own) = event else { return event }
        return .start(name, line: own - before + line - 1)
      }
      source += root
      line += lineEndCount(root)
    }
    let read = try ReadDocument(source + "</all>", pieceSize: pieceSize)
    #expect(source.utf8.count > 3 * 65_536)
    #expect(read.events.count == expected.count + 2)
    let difference = zip(read.events.dropFirst(), expected).first { $0 != $1 }
    #expect(difference == nil)
  }

  /// How many lines end in a text: with LF, CR or both.
  private func lineEndCount(_ text: Substring) -> Int {
    text.utf8.count { $0 == 0x0A || $0 == 0x0D } - text.ranges(of: "\r\n").count
  }
}
