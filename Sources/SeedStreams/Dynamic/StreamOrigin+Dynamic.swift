internal import SeedTransport

extension StreamOrigin {
  /// A server that knows what has changed since a position.
  ///
  /// A user, a password and a query in the address are treated as in ``static(_:)``; the query goes
  /// before what the protocol adds.
  /// - Parameter url: The address of the stream's endpoint, such as
  ///   `https://api.example/v1/streams/catalog`.
  /// - Returns: The origin; an address that is none is reported by the first run.
  public static func dynamic(_ url: String) -> StreamOrigin {
    do throws(HTTPURL.Problem) {
      let address = try HTTPURL.parse(url)
      return StreamOrigin(userInformation: address.userInformation) {
        options throws(StreamError.Reason) in
        try refuseKeys(options)
        return DynamicSource(address.url)
      }
    } catch {
      return .unusable(url, error)
    }
  }
}
