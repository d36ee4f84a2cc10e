#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  /// T23: why requests on Linux are not made by Foundation.
  @Suite struct FoundationCrashTests {
    /// Only where all faults are tried: it is about the toolchain, not about this package.
    private static let isAskedFor = ProcessInfo.processInfo.environment["SEED_FAULTS"] == "all"

    @Test(.enabled(if: isAskedFor))
    func `URLSession ends the process when a server closes inside of the headers`() async {
      // swift-corelibs-foundation, issue 5285. Once this fails, the choice of libcurl can be
      // thought over again.
      await #expect(processExitsWith: .failure) {
        let server = try HTTPFaultServer(.raw("HTTP/1.1 200 OK\r\nContent-Le"))
        let url = try #require(URL(string: server.url()))
        do {
          _ = try await URLSession.shared.data(from: url)
        } catch {
          // As it should be; the process then ends well.
        }
      }
    }
  }
#endif
