internal import SeedFiles
internal import SeedInput

/// The bytes of one input as a digest: as they come, packed or not.
package struct InputDigest: Sendable, Hashable {
  /// The input's name as it was given; of an absolute path only the last part, so that nothing
  /// tells where a build ran.
  package var name: String
  /// SHA-256 in 64 lower-case hexadecimal digits.
  package var sha256: String
  /// The number of the bytes.
  package var byteCount: Int64

  /// Creates a digest.
  package init(name: String, sha256: String, byteCount: Int64) {
    self.name = name
    self.sha256 = sha256
    self.byteCount = byteCount
  }

  /// Reads all of an input; its next reading starts at the first byte again.
  ///
  /// - Throws: ``InputError``; ``FileError`` when there is no room for a pipe's bytes.
  init(of document: InputDocument) throws {
    try self.init(of: document.packed(), name: document.name)
  }

  /// Reads all of a file.
  ///
  /// - Throws: ``InputError``.
  init(ofFile path: String) throws {
    try self.init(of: FileSource(path: path), name: path)
  }

  private init(of bytes: any ByteSource, name: String) throws {
    let capacity = 1 << 16
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    defer { buffer.deallocate() }
    var digest = SHA256Digest()
    var byteCount: Int64 = 0
    while true {
      let count = try bytes.read(into: buffer, capacity: capacity)
      if count == 0 { break }
      digest.update(UnsafeRawBufferPointer(start: buffer, count: count))
      byteCount += Int64(count)
    }
    self.init(
      name: Self.relative(name), sha256: digest.hexadecimal(), byteCount: byteCount)
  }

  private static func relative(_ name: String) -> String {
    guard name.hasPrefix("/") else { return name }
    return name.split(separator: "/").last.map(String.init) ?? name
  }
}
