/// The order of a table's columns: that in which their values first appear in the inputs, and where
/// rules name columns in another one, that of the rules.
struct ColumnOrder {
  /// Where a value first appears: the number of a staged table, and of a column there.
  struct Appearance: Comparable, Hashable {
    var table: Int
    var column: Int

    static func < (a: Appearance, b: Appearance) -> Bool {
      (a.table, a.column) < (b.table, b.column)
    }
  }

  /// Of each column the first appearance; none of those that no staged column gives.
  private var appearances: [Int: Appearance] = [:]
  /// Of each column those that rules name directly before it.
  private var predecessors: [Int: Set<Int>] = [:]

  /// Takes note that values of a column appear somewhere.
  mutating func note(_ column: Int, at appearance: Appearance) {
    appearances[column] = min(appearances[column] ?? appearance, appearance)
  }

  /// Takes note of columns that a rule names in this order.
  ///
  /// What appears nowhere, such as a constant, stands behind the column before it.
  mutating func note(ruled columns: [Int]) {
    for (column, next) in zip(columns, columns.dropFirst()) where column != next {
      predecessors[next, default: []].insert(column)
      if appearances[next] == nil { appearances[next] = appearances[column] }
    }
  }

  /// Sorts columns; those of which nothing was noted come first.
  func sorted(_ columns: [Int]) -> [Int] {
    let none = Appearance(table: -1, column: -1)
    var open = columns.sorted {
      (appearances[$0] ?? none, $0) < (appearances[$1] ?? none, $1)
    }
    var waiting = Set(open)
    var result: [Int] = []
    while !open.isEmpty {
      // Rules that contradict each other leave nothing free: then the first appearance counts.
      let position =
        open.firstIndex { predecessors[$0]?.isDisjoint(with: waiting) ?? true } ?? 0
      let column = open.remove(at: position)
      waiting.remove(column)
      result.append(column)
    }
    return result
  }
}
