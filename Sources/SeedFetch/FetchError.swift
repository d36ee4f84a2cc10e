package import SeedFiles
package import SeedTransport

/// Why a source could not be fetched.
package struct FetchError: Error, Sendable, Equatable {
  /// What is wrong.
  package enum Reason: Sendable, Equatable {
    /// The server or the way to it.
    case transport(TransportError)
    /// An environment variable that a header or the query needs is not set, or empty.
    case missingVariable(String)
    /// Without the network there is only the cache, and it does not have the document.
    case notCached
    /// Without the network there is only the cache, and it does not have what the lock names.
    case lockedNotCached
    /// The document is a web page, though nothing says that one is wanted; with the address that
    /// was asked for.
    case webPage(requested: String)
    /// A page leads to one that was there before.
    case pageLoop(String)
    case tooManyPages(Int)
    /// The lock file is not there, though everything is to be compared with it.
    case lockMissing
    case lockMalformed(String)
    /// The lock does not speak of the source.
    case notLocked
    case lockDiffers(LockDifference)
    /// The cache cannot be read or written.
    case cache(FileError)
    /// The lock or a file of the cache cannot be written.
    case unwritable(PublishError)
  }

  /// What was fetched beside what the lock has.
  package enum LockDifference: Sendable, Hashable {
    case content(expected: FetchLock.Page, got: FetchLock.Page)
    case pageCount(expected: Int, got: Int)
  }

  package var reason: Reason
  /// The address without secrets, or the file concerned.
  package var place: String

  /// Creates an error about an address or a file.
  package init(_ reason: Reason, place: String) {
    self.reason = reason
    self.place = place
  }
}
