import SeedModel
import Testing

@testable import SeedInput

/// Random tables, each against the values that were written.
@Suite struct DelimitedDifferentialTests {
  private struct Table {
    var text = ""
    var columns: [String]
    var records: [[String]] = []

    private static let pieces = [
      "", "x", "some text", " ", "é", "日本語", "😀", "\"", "\"\"", ",", ";", "\t", "|", "\n", "\r\n",
      "\r", "#", "'", "\\", "0123456789abcdef", "NULL", "\u{FEFF}",
    ]

    init(seed: UInt64, lineEnd: String, delimiter: String) {
      var random = SplitMix(state: seed)
      func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
      columns = (0...pick(6)).map { "c\($0)" }
      text = columns.joined(separator: delimiter) + lineEnd
      for _ in 0..<pick(30) {
        var record: [String] = []
        for _ in columns {
          record.append((0..<pick(4)).map { _ in Table.pieces[pick(Table.pieces.count)] }.joined())
        }
        records.append(record)
        let fields = record.map { value -> String in
          let isSpecial = value.utf8.contains {
            [0x22, 0x0A, 0x0D, delimiter.utf8.first].contains($0)
          }
          let isAlone = value.isEmpty && columns.count == 1
          guard isSpecial || isAlone || pick(4) == 0 else { return value }
          return "\"" + value.replacing("\"", with: "\"\"") + "\""
        }
        text += fields.joined(separator: delimiter) + lineEnd
      }
      if pick(2) == 0, records.count > 0 {
        text.unicodeScalars.removeLast(lineEnd.unicodeScalars.count)
      }
    }
  }

  @Test(arguments: ["\n", "\r\n", "\r"], [1, 2, 3, 7, 61, Int.max])
  func `a table gives the values that were written`(lineEnd: String, pieceSize: Int) throws {
    for seed in 0..<150 as Range<UInt64> {
      let delimiter = [",", ";", "\t", "|"][Int(seed % 4)]
      let table = Table(seed: seed, lineEnd: lineEnd, delimiter: delimiter)
      let layout = DelimitedLayout(delimiter: delimiter.utf8.first)
      let read = try ReadTable(table.text, pieceSize: pieceSize, layout: layout)
      let isSame =
        read.records.count == table.records.count
        && zip(read.records, table.records).allSatisfy { a, b in
          a.count == b.count && zip(a, b).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        }
      #expect(
        isSame && read.columns == table.columns, "seed \(seed): \(table.text.debugDescription)")
    }
  }

  @Test func `a text cut at any byte is read alike in pieces and whole`() throws {
    let text = Array("a,b\r\n\"é,\"\"\r\n\",2\n,\"\"\r3,x\n".utf8)
    for end in 0...text.count {
      let cut = text[..<end]
      let errors = try ReadTable.errors(bytes: cut)
      let records = errors.isEmpty ? try ReadTable(bytes: cut).records : []
      for size in [1, 2, 3] {
        #expect(try ReadTable.errors(bytes: cut, pieceSize: size) == errors, "\(end)")
        guard errors.isEmpty else { continue }
        #expect(try ReadTable(bytes: cut, pieceSize: size).records == records, "\(end)")
      }
    }
  }
}
