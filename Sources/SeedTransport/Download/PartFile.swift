package import SeedFiles

/// A file that grows until a download is complete, and from which a broken one goes on.
///
/// It stays when it is let go, for the next run. While it is open its lock keeps others away from
/// it. Used by one thread at a time.
package final class PartFile {
  package let path: String
  /// The bytes that the file holds.
  package private(set) var byteCount: Int64
  private let descriptor: Int32
  private let files: FileSystem

  /// How many files of one name are tried when others work on them.
  private static let mostNames = 100

  /// Opens the file of a name, or creates it; nil if someone else works on it.
  ///
  /// - Throws: ``FileError``.
  package init?(at path: String, files: FileSystem = .live) throws(FileError) {
    let descriptor = try files.open(path, .append(permissions: 0o600))
    do throws(FileError) {
      guard try files.tryLock(descriptor, path),
        // Whoever had the lock may have given the file its final name meanwhile.
        try files.linkStatus(path)?.identity
          == files.descriptorStatus(descriptor, path).identity
      else {
        files.close(descriptor)
        return nil
      }
      byteCount = try files.descriptorStatus(descriptor, path).byteCount
    } catch {
      files.close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    self.files = files
  }

  /// Opens `<path>.part`, or `<path>-1.part` and so on if others work on those before.
  ///
  /// - Throws: ``FileError``.
  package static func open(
    _ path: String, files: FileSystem = .live
  ) throws(FileError) -> PartFile {
    for number in 0..<mostNames {
      let name = number == 0 ? "\(path).part" : "\(path)-\(number).part"
      if let part = try PartFile(at: name, files: files) { return part }
    }
    throw FileError(.flock, path, code: FileError.busy)
  }

  deinit {
    // A process that another thread starts just then has a copy of the descriptor for a moment, and
    // closing ours would leave it the lock.
    files.unlock(descriptor)
    files.close(descriptor)
  }

  /// Adds bytes at the end.
  ///
  /// - Throws: ``FileError``.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try files.write(descriptor, path, UnsafeRawBufferPointer(rebasing: rest))
      guard count > 0 else { throw FileError(.write, path, code: FileError.inputOutput) }
      // Counted at once: what is on the disk is not asked for again even if the next call fails.
      byteCount += Int64(count)
      rest = rest.dropFirst(count)
    }
  }

  /// Cuts the file to nothing.
  ///
  /// - Throws: ``FileError``.
  package func removeAllBytes() throws(FileError) {
    guard byteCount > 0 else { return }
    try files.truncate(descriptor, path)
    byteCount = 0
  }

  /// Reads from an offset on, at most the buffer's size; 0 at the end.
  ///
  /// - Throws: ``FileError``.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    try files.readAt(descriptor, path, buffer, offset)
  }

  /// The digest of the file's bytes.
  ///
  /// - Throws: ``FileError``.
  package func sha256() throws(FileError) -> String {
    try FileDigest.sha256(of: descriptor, path, files: files).hexadecimal
  }

  /// Deletes the file, which must not have got its final name.
  ///
  /// - Throws: ``FileError``.
  package func remove() throws(FileError) {
    try files.unlink(path)
  }

  /// Gives the file its final name, in place of a file that has it.
  ///
  /// - Throws: ``FileError``.
  package func rename(to path: String) throws(FileError) {
    try files.rename(self.path, path)
  }
}
