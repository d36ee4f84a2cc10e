#if !canImport(Darwin)
  internal import CCurl

  /// libcurl, loaded at its first use.
  ///
  /// `@unchecked` is safe: the table of functions never changes once it is made.
  internal final class CurlLibrary: @unchecked Sendable {
    /// The library; nil if it is not there.
    internal static let shared = CurlLibrary()

    private let table: UnsafeMutablePointer<seed_curl>

    internal var functions: UnsafePointer<seed_curl> { UnsafePointer(table) }

    private init?() {
      table = .allocate(capacity: 1)
      table.initialize(to: seed_curl())
      // The same library, built with GnuTLS, has another name.
      let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
      guard names.contains(where: { seed_curl_load($0, table) != 0 }) else { return nil }
    }
  }
#endif
