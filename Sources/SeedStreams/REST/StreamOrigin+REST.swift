internal import SeedTransport

extension StreamOrigin {
  /// The pages of an API that knows nothing of streams, read by an adapter.
  ///
  /// The database's stream is begun with ``TableStream/begin(_:database:tables:cursor:)``.
  /// - Parameter adapter: What reads the pages.
  /// - Returns: The origin. Credentials go to the server of the first page alone.
  public static func rest(_ adapter: RESTAdapter) -> StreamOrigin {
    var origin: (url: HTTPURL, userInformation: String?)?
    do {
      origin = try HTTPURL.parse(adapter.firstPage(nil))
    } catch {
      // The first run says what is wrong with it.
    }
    return StreamOrigin(
      transport: origin.map { OriginGuard(StandardTransport.make(), origin: $0.url) },
      userInformation: origin?.userInformation,
      make: { (_) throws(StreamError.Reason) in RESTSource(adapter) })
  }
}
