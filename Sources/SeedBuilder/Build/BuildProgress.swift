/// How far a build has come.
package struct BuildProgress: Sendable, Hashable {
  /// The bytes read from the inputs in this pass.
  package var inputBytesRead: Int64
  /// The bytes that the inputs have; nil when one of them is a pipe.
  package var inputByteTotal: Int64?
  /// The rows loaded in this pass.
  package var rowCount: Int64
  /// The pass over the inputs, counted from 1.
  package var pass: Int

  /// Whether all is loaded and the finished database is checked.
  package var isChecking = false

  /// Creates a report of a build's state.
  package init(inputBytesRead: Int64, inputByteTotal: Int64?, rowCount: Int64, pass: Int) {
    self.inputBytesRead = inputBytesRead
    self.inputByteTotal = inputByteTotal
    self.rowCount = rowCount
    self.pass = pass
  }
}
