#if !canImport(Darwin)
  internal import CMicroHTTPD

  /// libmicrohttpd, loaded at its first use.
  ///
  /// `@unchecked` is safe: the table of functions never changes once it is made.
  internal final class MicroHTTPLibrary: @unchecked Sendable {
    /// The library; nil if it is not there or too old.
    internal static let shared = MicroHTTPLibrary(name: "libmicrohttpd.so.12")

    private let table: UnsafeMutablePointer<seed_microhttpd>

    internal var functions: UnsafePointer<seed_microhttpd> { UnsafePointer(table) }

    internal init?(name: String) {
      table = .allocate(capacity: 1)
      table.initialize(to: seed_microhttpd())
      guard seed_microhttpd_load(name, table) != 0 else {
        table.deallocate()
        return nil
      }
    }
  }
#endif
