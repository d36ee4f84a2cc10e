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
  /// Has what was written before reach the disk before what is written later; cheaper than
  /// ``synchronize`` on Apple's systems, the same elsewhere.
  package var synchronizeOrder: @Sendable (Int32, _ path: String) throws(FileError) -> Void
  /// Starts to write bytes to the disk without waiting; a hint that cannot fail.
  package var startWriteback: @Sendable (Int32, _ offset: Int64, _ byteCount: Int64) -> Void
  package var rename: @Sendable (_ from: String, _ to: String) throws(FileError) -> Void
  /// Renames a file unless the new name is taken, as one step of the file system.
  ///
  /// Fails with ``FileError/isTaken``, or ``FileError/isUnsupported`` on older file systems.
  package var renameExclusively: @Sendable (_ from: String, _ to: String) throws(FileError) -> Void
  /// Gives a file a second name unless that is taken.
  package var link: @Sendable (_ from: String, _ to: String) throws(FileError) -> Void
  package var unlink: @Sendable (_ path: String) throws(FileError) -> Void
  /// Creates a file that shares the blocks of another one (`clonefile`); Apple's systems only.
  package var cloneFile: @Sendable (_ from: String, _ to: String) throws(FileError) -> Void
  /// Has an empty file share the blocks of another one (FICLONE); Linux only.
  package var cloneContents:
    @Sendable (_ from: Int32, _ to: Int32, _ path: String) throws(FileError) -> Void
  /// Copies bytes inside of the kernel, from where both descriptors stand, perhaps fewer than
  /// asked for, 0 at the end; Linux only.
  package var copyRange:
    @Sendable (_ from: Int32, _ to: Int32, _ path: String, _ byteCount: Int) throws(FileError) ->
      Int
  /// The bytes that the user may still write to the file system of a path.
  package var availableByteCount: @Sendable (_ path: String) throws(FileError) -> Int64
  /// Removes what a clone took over besides the bytes, such as the mark of a downloaded file.
  package var removeAttributes: @Sendable (Int32, _ path: String) throws(FileError) -> Void
  /// Sets when a locked device can read the file; Apple's devices only, elsewhere without effect.
  package var setProtection:
    @Sendable (Int32, _ path: String, FileProtection) throws(FileError) -> Void
  /// Leaves a file out of backups or takes it in; Apple's systems only, elsewhere without effect.
  package var setExcludedFromBackup: @Sendable (_ path: String, Bool) throws(FileError) -> Void
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
  /// Lets go of the whole-file lock, for all copies of the descriptor: closing one leaves the lock
  /// to those that a forked child has.
  package var unlock: @Sendable (Int32) -> Void
  /// The process that has locked a part of a file by a record lock (POSIX), as SQLite does; nil if
  /// no other process has.
  package var recordLockHolder:
    @Sendable (Int32, _ path: String, _ offset: Int64, _ byteCount: Int64) throws(FileError) ->
      Int32?
  /// The names in a directory without `.` and `..`, in no order.
  package var names: @Sendable (_ directory: String) throws(FileError) -> [String]
  /// Where a symbolic link points, as it is written.
  package var linkTarget: @Sendable (_ path: String) throws(FileError) -> String
  /// The absolute path without links of something that exists.
  package var realPath: @Sendable (_ path: String) throws(FileError) -> String

  /// Lets time pass.
  package var pause: @Sendable (_ milliseconds: Int) -> Void
  /// Milliseconds of a clock that never goes back.
  package var now: @Sendable () -> Int64

  /// The real file system.
  package static let live = FileSystem(
    open: SystemCalls.openFile,
    close: SystemCalls.closeFile,
    read: SystemCalls.readBytes,
    readAt: SystemCalls.readBytes,
    write: SystemCalls.writeBytes,
    synchronize: SystemCalls.synchronizeFile,
    synchronizeDirectory: SystemCalls.synchronizeDirectory,
    synchronizeOrder: SystemCalls.synchronizeOrder,
    startWriteback: SystemCalls.startWriteback,
    rename: SystemCalls.renameFile,
    renameExclusively: SystemCalls.renameFileExclusively,
    link: SystemCalls.linkFile,
    unlink: SystemCalls.unlinkFile,
    cloneFile: SystemCalls.cloneFile,
    cloneContents: SystemCalls.cloneContents,
    copyRange: SystemCalls.copyRange,
    availableByteCount: SystemCalls.availableByteCount,
    removeAttributes: SystemCalls.removeAttributes,
    setProtection: SystemCalls.setProtection,
    setExcludedFromBackup: SystemCalls.setExcludedFromBackup,
    makeDirectory: SystemCalls.makeDirectory,
    status: SystemCalls.statusOfFile,
    linkStatus: SystemCalls.statusOfLink,
    descriptorStatus: SystemCalls.statusOfDescriptor,
    setPermissions: SystemCalls.setPermissions,
    truncate: SystemCalls.truncate,
    tryLock: SystemCalls.tryLock,
    unlock: SystemCalls.unlock,
    recordLockHolder: SystemCalls.recordLockHolder,
    names: SystemCalls.names,
    linkTarget: SystemCalls.linkTarget,
    realPath: SystemCalls.realPath,
    pause: SystemCalls.pause,
    now: SystemCalls.now)

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
