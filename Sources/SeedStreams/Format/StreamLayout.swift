/// The names of a published stream's files, relative to its folder.
package enum StreamLayout {
  /// The folder of a stream below the directory that is published: its name and the major version
  /// of its schema.
  ///
  /// - Parameter stream: The stream's name.
  /// - Returns: The path below the published directory.
  package static func folder(of stream: String) -> String { "\(stream)/v1" }

  /// The only file that changes.
  package static let head = "head.json"

  /// The path of an object: no extension, so that no host takes it for text or recompresses it.
  ///
  /// - Parameter sha256: 64 hexadecimal digits in lower case.
  /// - Returns: The path below the stream's folder.
  package static func object(_ sha256: String) -> String { "o/\(sha256.prefix(2))/\(sha256)" }
}
