internal import SeedSQLite

/// Values that are kept after the row that they come from was left.
///
/// The memory is used again for the next values. Used by one thread at a time.
final class OwnedCells {
  private(set) var cells: [StoredCell] = []
  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)

  deinit { bytes.deallocate() }

  /// Takes copies of values, in place of the earlier ones.
  func set(count: Int, _ cell: (Int) -> StoredCell) {
    let size = (0..<count).reduce(0) { $0 + Self.byteCount(of: cell($1)) }
    if size > bytes.count {
      bytes.deallocate()
      bytes = .allocate(byteCount: size * 2, alignment: 8)
    }
    cells.removeAll(keepingCapacity: true)
    var offset = 0
    for index in 0..<count {
      let value = cell(index)
      switch value {
      case .text(let text): cells.append(.text(keep(text, at: &offset)))
      case .blob(let blob): cells.append(.blob(keep(blob, at: &offset)))
      default: cells.append(value)
      }
    }
  }

  private func keep(
    _ source: UnsafeRawBufferPointer, at offset: inout Int
  ) -> UnsafeRawBufferPointer {
    let target = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + source.count])
    target.copyMemory(from: source)
    offset += source.count
    return UnsafeRawBufferPointer(target)
  }

  private static func byteCount(of cell: StoredCell) -> Int {
    switch cell {
    case .text(let bytes), .blob(let bytes): bytes.count
    default: 0
    }
  }
}
