internal import SeedTransport

extension StreamOrigin {
  /// A server that knows what has changed since a position.
  ///
  /// - Parameter url: The address of the stream's endpoint without a query, such as
  ///   `https://api.example/v1/streams/catalog`.
  /// - Returns: The origin; an address that is none is reported by the first run.
  public static func dynamic(_ url: String) -> StreamOrigin {
    do throws(HTTPURL.Problem) {
      let endpoint = try HTTPURL(url)
      return StreamOrigin { (_) throws(StreamError.Reason) in DynamicSource(endpoint) }
    } catch {
      let problem = error
      return StreamOrigin { (_) throws(StreamError.Reason) in
        throw .refused(TransportError(.invalidURL(problem), url: url).description)
      }
    }
  }
}
