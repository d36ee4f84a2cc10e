/// A kind of file, told by its content: a new file of the kind replaces one that is there only if that
/// is of the kind, too.
package struct FileKind: Sendable {
  /// What it is called, with its article, to follow "is not".
  package var name: String
  /// How many bytes of a file are looked at.
  package var byteLimit: Int
  /// Whether a file that begins with these bytes is of the kind.
  package var includes: @Sendable (_ start: [UInt8]) -> Bool

  /// A kind that the beginning of a file tells.
  package init(
    _ name: String, byteLimit: Int, includes: @escaping @Sendable (_ start: [UInt8]) -> Bool
  ) {
    self.name = name
    self.byteLimit = byteLimit
    self.includes = includes
  }

  /// Files that start with some text.
  package init(_ name: String, startingWith text: String) {
    let start = Array(text.utf8)
    self.init(name, byteLimit: start.count) { $0 == start }
  }

  /// HTML pages that start as this tool's do.
  package static let htmlPage = FileKind("an HTML page", startingWith: "<!DOCTYPE html>")
}
