internal import SeedModel

/// What is to be watched in a text of one column: empty lines, and signs that it has more columns.
struct DelimitedSingleColumn {
  /// Empty lines that are values if a record follows.
  var waitingLines = 0
  private var recordCount = 0
  /// How many records have each of ``DelimiterGuess/candidates`` in them.
  private var counts = [0, 0, 0, 0]
  private let delimiter: UInt8

  init(delimiter: UInt8) {
    self.delimiter = delimiter
  }

  /// Looks at a record.
  mutating func note(_ record: UnsafeBufferPointer<UInt8>) {
    recordCount += 1
    for (index, candidate) in DelimiterGuess.candidates.enumerated()
    where candidate != delimiter && record.contains(candidate) {
      counts[index] += 1
    }
  }

  /// A warning when most records have what may be the delimiter.
  func remarks(_ settings: ReaderSettings) -> [Diagnostic] {
    guard recordCount > 1, let most = counts.max(), most * 2 > recordCount,
      let index = counts.firstIndex(of: most)
    else { return [] }
    let spelled = DelimitedFault.spelled(DelimiterGuess.candidates[index])
    return [
      Diagnostic(
        .warning,
        "the file has one column, and \(most) of its \(recordCount) records have a \(spelled) in it",
        at: SourceLocation(file: settings.name),
        hint: "name the right one with --delimiter, if they have several fields")
    ]
  }
}
