/// The transport of the platform.
package enum StandardTransport {
  /// libcurl on Linux; on Apple's systems URLSession.
  package static func make() -> any HTTPTransport {
    #if canImport(Darwin)
      URLSessionTransport()
    #else
      CurlTransport()
    #endif
  }
}
