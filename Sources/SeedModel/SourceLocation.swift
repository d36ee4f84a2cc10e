/// A place in an input, as compilers write it: `file:line:column`.
package struct SourceLocation: Sendable, Hashable {
  /// The input's name as the user gave it; `<stdin>` for standard input.
  package var file: String
  /// The line, counted from 1; 0 when only the file is known.
  package var line: Int
  /// The column, counted from 1 in Unicode scalars; 0 when only the line is known.
  package var column: Int

  package init(file: String, line: Int = 0, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension SourceLocation: CustomStringConvertible {
  /// `file`, `file:line` or `file:line:column`: as much as is known.
  package var description: String {
    guard line > 0 else { return file }
    return column > 0 ? "\(file):\(line):\(column)" : "\(file):\(line)"
  }
}
