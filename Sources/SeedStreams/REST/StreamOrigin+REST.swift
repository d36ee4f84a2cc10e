internal import SeedTransport

extension StreamOrigin {
  /// The pages of an API that knows nothing of streams, read by an adapter.
  ///
  /// The database's stream is begun with ``TableStream/begin(_:database:tables:cursor:)``.
  /// - Parameter adapter: What reads the pages.
  /// - Returns: The origin. Credentials go to the server of the first page alone.
  public static func rest(_ adapter: RESTAdapter) -> StreamOrigin {
    var userInformation: String?
    do {
      userInformation = try HTTPURL.parse(adapter.firstPage(nil)).userInformation
    } catch {
      // The first run says what is wrong with it.
    }
    return StreamOrigin(userInformation: userInformation) { options throws(StreamError.Reason) in
      try refuseKeys(options)
      return RESTSource(adapter)
    }
  }
}
