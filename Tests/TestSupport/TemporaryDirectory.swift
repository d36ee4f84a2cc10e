import Foundation

/// A directory of its own for one test, deleted when it goes away.
///
/// Files in it are named by their last component; a name may contain slashes.
package final class TemporaryDirectory: Sendable {
  /// The absolute path, without symbolic links.
  package let path: String

  /// Creates an empty directory.
  package init() throws {
    let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("seed-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // Litter in the system's temporary directory is no reason to fail a test.
      return
    }
  }

  /// The path of a file in the directory.
  package func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Creates a directory in it and returns its path.
  @discardableResult
  package func makeDirectory(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  /// Creates a symbolic link that points to a path as it is written.
  @discardableResult
  package func link(_ name: String, to target: String) throws -> String {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    return path(name)
  }

  /// A file's bytes.
  package func bytes(of name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// A file's text; invalid UTF-8 is repaired.
  package func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  /// The names in it, hidden ones included, sorted.
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
