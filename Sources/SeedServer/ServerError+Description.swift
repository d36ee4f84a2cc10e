internal import SeedFiles

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension ServerError: CustomStringConvertible {
  /// The place and what is wrong, on one line.
  package var description: String { place.isEmpty ? message : "\(place): \(message)" }

  /// What is wrong, without the place.
  package var message: String {
    switch reason {
    case .noLibrary: "libmicrohttpd cannot be loaded"
    case .notStarted: "the server does not start"
    case .noDirectory: "there is no such directory"
    case .unreadable(let error): error.reason
    case .unknownAddress(let words): "is not an address of this machine: \(words)"
    case .notListening(let code): "cannot be listened on: \(Self.words(for: code))"
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch reason {
    case .noLibrary:
      "install libmicrohttpd 0.9.71 or newer (Debian and Ubuntu: libmicrohttpd12)"
    case .notStarted: nil
    case .noDirectory: "give the directory that \"seed publish --to\" wrote"
    case .unreadable(let error): error.hint
    case .unknownAddress: "give an address such as 127.0.0.1, or 0.0.0.0 for all of this machine's"
    case .notListening(let code) where code == EADDRINUSE:
      "choose another port, or 0 for any that is free"
    case .notListening(let code) where code == EACCES: "choose a port above 1023"
    case .notListening: "give an address of this machine"
    }
  }

  private static func words(for code: Int32) -> String {
    let words = String(cString: strerror(code))
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
