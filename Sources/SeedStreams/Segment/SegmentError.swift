/// Why a segment's text cannot be taken: what is wrong, and in which line.
package struct SegmentError: Error, Sendable, Hashable {
  /// What is wrong, in words.
  package var problem: String
  /// The line, counted from 1; nil where the fault is not in a line.
  package var line: Int?

  /// An error from its parts.
  package init(_ problem: String, line: Int? = nil) {
    self.problem = problem
    self.line = line
  }
}

extension SegmentError: CustomStringConvertible {
  /// The line and what is wrong in it.
  package var description: String { line.map { "line \($0): \(problem)" } ?? problem }
}
