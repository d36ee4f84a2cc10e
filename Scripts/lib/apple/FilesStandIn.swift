// What SystemCalls+Backup.swift uses of its own module, which is checked against another Darwin.
package struct FileError: Error {
  package enum Operation { case setAttributes }
  package static let inputOutput: Int32 = 5
  package init(_ operation: Operation, _ path: String, code: Int32) {}
}
package enum SystemCalls {}
