package import SeedFiles

/// Why a server does not start.
package struct ServerError: Error, Sendable, Equatable {
  /// The kinds of failure; the wording is in `ServerError+Description.swift`.
  package enum Reason: Sendable, Equatable {
    /// The library that speaks HTTP is missing or too old.
    case noLibrary
    /// The library does not start a server.
    case notStarted
    /// There is no such directory.
    case noDirectory
    /// The directory cannot be looked at.
    case unreadable(FileError)
    /// The address is not one of this machine, in the system's words.
    case unknownAddress(String)
    /// The address cannot be listened on; the system's error number.
    case notListening(code: Int32)
  }

  /// What is wrong.
  package var reason: Reason
  /// The directory, or the address and the port.
  package var place: String

  /// An error about a directory or an address.
  package init(_ reason: Reason, place: String) {
    self.reason = reason
    self.place = place
  }
}
