/// The other side of a connection, as far as an answer has to do with it.
package protocol ServedClient: AnyObject {
  /// Lets time pass until something holds, the client hangs up or the server stops.
  ///
  /// - Parameters:
  ///   - duration: The longest wait.
  ///   - isOver: Looked at several times a second.
  func wait(_ duration: Duration, until isOver: () throws -> Bool) rethrows

  /// Ends the connection in a way that the client takes for an error.
  func reset()
}
