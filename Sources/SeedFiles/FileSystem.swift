#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The file operations that the modules use, as values, so that a test can make one fail.
///
/// Each closure is one call of the system: interrupted calls are repeated, nothing else is. A file
/// descriptor is the system's number; whoever opened it closes it.
package struct FileSystem: Sendable {
  /// How a file is opened; every descriptor is closed on exec.
  package enum OpenMode: Sendable, Equatable {
    case read
    /// Reading something that may be replaced by a trap: no link is followed, no FIFO waited for.
    case readNoFollow
    /// A new file for reading and writing; fails if the name exists, even as a link.
    case createNew(permissions: UInt16)
    /// A file for reading and for writing at its end, created if need be; no link is followed.
    case append(permissions: UInt16)
    /// A directory, to synchronize it.
    case directory
  }

  package var open: @Sendable (_ path: String, OpenMode) throws(FileError) -> Int32
  package var close: @Sendable (Int32) -> Void
  /// Reads what is there, at most the buffer's size; 0 at the end.
  package var read:
    @Sendable (Int32, _ path: String, UnsafeMutableRawBufferPointer) throws(FileError) -> Int
  /// Reads at an offset without moving the descriptor's position; 0 at the end.
  package var readAt:
    @Sendable (Int32, _ path: String, UnsafeMutableRawBufferPointer, _ offset: Int64)
      throws(FileError) -> Int
  /// Writes at least one byte of a buffer that is not empty, perhaps not all; see ``writeAll``.
  package var write:
    @Sendable (Int32, _ path: String, UnsafeRawBufferPointer) throws(FileError) -> Int
  /// Waits until the file's bytes are on the disk itself.
  package var synchronize: @Sendable (Int32, _ path: String) throws(FileError) -> Void
  /// Waits until a directory's names are on the disk, where the file system can do that.
  package var synchronizeDirectory: @Sendable (Int32, _ path: String) throws(FileError) -> Void
  package var rename: @Sendable (_ from: String, _ to: String) throws(FileError) -> Void
  package var unlink: @Sendable (_ path: String) throws(FileError) -> Void
  /// Creates one directory, in one that is there.
  package var makeDirectory: @Sendable (_ path: String, UInt16) throws(FileError) -> Void
  /// The status of the file that a path leads to; nil if there is none.
  package var status: @Sendable (_ path: String) throws(FileError) -> FileStatus?
  /// The status of what stands at a path, be it a link; nil if there is nothing.
  package var linkStatus: @Sendable (_ path: String) throws(FileError) -> FileStatus?
  package var descriptorStatus: @Sendable (Int32, _ path: String) throws(FileError) -> FileStatus
  package var setPermissions: @Sendable (Int32, _ path: String, UInt16) throws(FileError) -> Void
  /// Cuts a file to nothing.
  package var truncate: @Sendable (Int32, _ path: String) throws(FileError) -> Void
  /// Takes the whole-file lock without waiting; false if another descriptor holds it.
  ///
  /// It ends when the descriptor is closed, so it dies with the process.
  package var tryLock: @Sendable (Int32, _ path: String) throws(FileError) -> Bool
  /// The names in a directory without `.` and `..`, in no order.
  package var names: @Sendable (_ directory: String) throws(FileError) -> [String]
  /// Where a symbolic link points, as it is written.
  package var linkTarget: @Sendable (_ path: String) throws(FileError) -> String
  /// The absolute path without links of something that exists.
  package var realPath: @Sendable (_ path: String) throws(FileError) -> String

  /// The real file system.
  package static let live = FileSystem(
    open: SystemCalls.openFile,
    close: SystemCalls.closeFile,
    read: SystemCalls.readBytes,
    readAt: SystemCalls.readBytes,
    write: SystemCalls.writeBytes,
    synchronize: SystemCalls.synchronizeFile,
    synchronizeDirectory: SystemCalls.synchronizeDirectory,
    rename: SystemCalls.renameFile,
    unlink: SystemCalls.unlinkFile,
    makeDirectory: SystemCalls.makeDirectory,
    status: SystemCalls.statusOfFile,
    linkStatus: SystemCalls.statusOfLink,
    descriptorStatus: SystemCalls.statusOfDescriptor,
    setPermissions: SystemCalls.setPermissions,
    truncate: SystemCalls.truncate,
    tryLock: SystemCalls.tryLock,
    names: SystemCalls.names,
    linkTarget: SystemCalls.linkTarget,
    realPath: SystemCalls.realPath)

  /// Writes all bytes, with as many calls as it takes.
  ///
  /// - Throws: ``FileError``; part of the bytes may then be written.
  package func writeAll(
    _ descriptor: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try write(descriptor, path, UnsafeRawBufferPointer(rebasing: rest))
      // A device that takes nothing and reports no error would keep the loop going for ever.
      guard count > 0 else { throw FileError(.write, path, code: EIO) }
      rest = rest.dropFirst(count)
    }
  }
}
