import Testing

@testable import SeedBuilder

@Suite struct OpenRowTests {
  /// Runs the body with a row, and frees it.
  private func withRow(_ body: (inout OpenRow) throws -> Void) rethrows {
    var row = OpenRow()
    defer { row.deallocate() }
    try body(&row)
  }

  private func text(_ cell: Cell) -> String? {
    cell.bytes.map {
      String(decoding: UnsafeBufferPointer(start: $0, count: cell.count), as: UTF8.self)
    }
  }

  private func open(_ row: inout OpenRow, columnCount: Int, markCount: Int = 0) {
    row.open(
      table: 0, place: 0, line: 1, ordinal: 1, columnCount: columnCount, markCount: markCount)
  }

  private func free(_ row: inout OpenRow) {
    for bytes in row.takeOwned() { bytes.deallocate() }
  }

  @Test(arguments: [3, 16, 40])
  func `columns and marks added to an open row are empty`(added: Int) {
    withRow { row in
      let value: [UInt8] = [0x61]
      value.withUnsafeBufferPointer { bytes in
        open(&row, columnCount: 12, markCount: 12)
        for index in 0..<12 {
          row.cells[index] = Cell(bytes: bytes.baseAddress, count: 1)
          row.marks[index] = true
        }
        free(&row)
        // The next row at this depth is of a smaller table, which then grows.
        open(&row, columnCount: 2, markCount: 2)
        row.cells[1] = Cell(bytes: bytes.baseAddress, count: 1)
        row.marks[1] = true
        row.reserve(columnCount: 2 + added, markCount: 2 + added)
        #expect(row.cells[0].bytes == nil)
        #expect(text(row.cells[1]) == "a")
        #expect(row.marks[1])
        for index in 2..<2 + added {
          #expect(row.cells[index].bytes == nil, "column \(index)")
          #expect(!row.marks[index], "mark \(index)")
        }
      }
    }
  }

  @Test func `runs of text are joined in their order`() {
    withRow { row in
      open(&row, columnCount: 1)
      var expected = ""
      for number in 0..<300 {
        let run = Array("run \(number), ".utf8)
        expected += "run \(number), "
        run.withUnsafeBufferPointer { bytes in
          guard let base = bytes.baseAddress else { return }
          row.appendText(base, count: bytes.count, to: 0)
        }
      }
      #expect(text(row.cells[0]) == expected)
      #expect(row.ownsBytes)
      free(&row)
      #expect(!row.ownsBytes)
    }
  }

  @Test func `cells of a batch are copied before it is used again`() {
    withRow { row in
      open(&row, columnCount: 3)
      var batch = Array("abcdef".utf8)
      batch.withUnsafeMutableBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        row.cells[0] = Cell(bytes: UnsafePointer(base), count: 3)
        row.cells[2] = Cell(bytes: UnsafePointer(base + 6), count: 0)
        row.detach(columnCount: 3, from: UnsafePointer(base), count: 6)
        for index in bytes.indices { bytes[index] = 0x2A }
        #expect(text(row.cells[0]) == "abc")
        #expect(row.cells[1].bytes == nil)
        #expect(text(row.cells[2]) == "")
        // Another run joins the copy.
        row.appendText(UnsafePointer(base), count: 2, to: 0)
      }
      #expect(text(row.cells[0]) == "abc**")
      free(&row)
    }
  }
}
