/// Why a file cannot be replaced by a new one.
package struct PublishError: Error, Sendable, Equatable {
  /// What is wrong with the destination, or which step failed.
  package enum Reason: Sendable, Equatable {
    /// The destination is empty, ends in a slash or contains a NUL.
    case notAFileName
    case isDirectory
    /// A file that must not be replaced, whatever it is.
    case exists
    case directoryMissing(String)
    /// A part of the destination's path is a file.
    case notADirectory(String)
    /// A FIFO, a socket or a device.
    case notARegularFile
    /// A file that a new database must not replace, since it is none.
    case notADatabase
    /// A database that this tool did not build.
    case foreignDatabase
    /// A database that an app has as its own: it was installed from a seed.
    case installedDatabase
    /// A database that another process has open.
    case isOpen(process: Int32)
    /// A file that a new one of some kind must not replace, since it is of another; the name of the
    /// kind, with its article.
    case otherKind(String)
    /// An unfinished log beside the destination, which SQLite would apply to any file of its name.
    case unfinishedLog(String)
    /// Symbolic links that lead to each other.
    case linkLoop
    /// A temporary file cannot be created, or the destination cannot be looked at.
    case cannotCreate(FileError)
    /// The new file cannot be written or put in place.
    case cannotPublish(FileError)
  }

  package var reason: Reason
  /// The destination as it was named.
  package var path: String

  /// An error about a destination.
  package init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }

  /// The system's error behind this one, if there is one.
  package var cause: FileError? {
    switch reason {
    case .cannotCreate(let error), .cannotPublish(let error): error
    default: nil
    }
  }

  /// Whether nothing could be begun, as opposed to a failure while writing.
  package var isCreation: Bool {
    if case .cannotPublish = reason { false } else { true }
  }
}
