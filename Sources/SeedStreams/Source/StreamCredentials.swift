internal import Dispatch
internal import SeedFiles
package import SeedTransport

/// What an app is asked for before the first request, and when a server refuses the last answer.
public struct StreamCredentialsRequest: Sendable, Hashable {
  /// The stream's name.
  public var stream: String
  /// Whether the server refused what it got (401 or 403), so that a token has to be renewed.
  public var isRefused: Bool

  /// A request from its parts.
  public init(stream: String, isRefused: Bool) {
    self.stream = stream
    self.isRefused = isRefused
  }
}

/// The headers that tell a server who asks, from a hook of the app.
///
/// The hook is asked before the first request, and once more each time that a server refuses; a
/// second refusal in a row is an error.
package final class StreamCredentials {
  /// Gives the names and values of headers, such as `Authorization`.
  package typealias Hook =
    @Sendable (StreamCredentialsRequest) async throws -> [String: String]

  private let stream: String
  private let hook: Hook?
  private var fields: [HTTPField]?
  /// Whether the next refusal may be answered with other credentials.
  private var mayRenew = true

  /// The credentials of a stream; nil for a server that wants none.
  ///
  /// - Parameters:
  ///   - stream: The stream's name.
  ///   - hook: Gives the headers.
  package init(stream: String, hook: Hook?) {
    self.stream = stream
    self.hook = hook
  }

  /// The headers for a request.
  ///
  /// - Returns: The headers, which are kept until a server refuses them.
  /// - Throws: What the hook throws.
  package func headers() throws -> [HTTPField] {
    if let fields { return fields }
    let fresh = try ask(isRefused: false)
    fields = fresh
    return fresh
  }

  /// Takes note of a status: a success allows another renewal.
  ///
  /// - Parameter status: The status of an answer.
  package func noteStatus(_ status: Int) {
    if status < 400 { mayRenew = true }
  }

  /// Asks for other credentials after a refusal.
  ///
  /// - Returns: False when there is nobody to ask, or the server refused the last answer, too.
  /// - Throws: What the hook throws.
  package func renew() throws -> Bool {
    guard hook != nil, mayRenew else { return false }
    mayRenew = false
    fields = try ask(isRefused: true)
    return true
  }

  /// Waits for the hook on this thread, which is one of our own and not of the pool.
  private func ask(isRefused: Bool) throws -> [HTTPField] {
    guard let hook else { return [] }
    let request = StreamCredentialsRequest(stream: stream, isRefused: isRefused)
    let answer = Lock<Result<[String: String], any Error>>(.success([:]))
    let isThere = DispatchSemaphore(value: 0)
    Task {
      do {
        let headers = try await hook(request)
        answer.withLock { $0 = .success(headers) }
      } catch {
        answer.withLock { $0 = .failure(error) }
      }
      isThere.signal()
    }
    isThere.wait()
    return try answer.withLock { $0 }.get()
      .sorted { $0.key < $1.key }
      .map { HTTPField($0.key, $0.value, isSecret: true) }
  }
}
