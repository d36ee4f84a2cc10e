import Testing

@testable import SeedBuilder

@Suite struct ColumnOrderTests {
  /// The order of some columns that first appear at these columns of one staged table.
  private func order(_ appearances: [Int?], ruled: [[Int]] = []) -> [Int] {
    var order = ColumnOrder()
    for (column, appearance) in appearances.enumerated() {
      if let appearance { order.note(column, at: .init(table: 0, column: appearance)) }
    }
    for columns in ruled { order.note(ruled: columns) }
    return order.sorted(Array(appearances.indices))
  }

  @Test func `columns stand where their values first appear`() {
    #expect(order([5, 3, 4]) == [1, 2, 0])
  }

  @Test func `what appears in several places stands at the first`() {
    var order = ColumnOrder()
    order.note(0, at: .init(table: 1, column: 0))
    order.note(1, at: .init(table: 0, column: 7))
    order.note(0, at: .init(table: 0, column: 6))
    order.note(0, at: .init(table: 2, column: 0))
    #expect(order.sorted([1, 0]) == [0, 1])
  }

  @Test func `the order of a rule comes before that of the values`() {
    #expect(order([0, 1, 2, 3], ruled: [[3, 0, 2]]) == [1, 3, 0, 2])
  }

  @Test func `a constant follows the column that is named before it`() {
    #expect(order([0, nil, 1], ruled: [[0, 1]]) == [0, 1, 2])
    #expect(order([0, nil, nil, 1], ruled: [[3, 1, 2]]) == [0, 3, 1, 2])
    #expect(order([0, nil], ruled: [[1, 0]]) == [1, 0])
  }

  @Test func `rules that contradict each other leave the order of the values`() {
    #expect(order([1, 0], ruled: [[0, 1], [1, 0]]) == [1, 0])
  }
}
