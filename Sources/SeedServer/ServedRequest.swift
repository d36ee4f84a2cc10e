/// What a server did for a request, for a log.
package struct ServedRequest: Sendable {
  /// The method as it was sent.
  package var method: String
  /// The target as it was sent.
  package var target: String
  /// The status of the answer; 0 if none was sent.
  package var status: Int
  /// The bytes of the body that went out.
  package var byteCount: Int64
  /// What was made to go wrong.
  package var fault: Fault?
  /// What went wrong by itself, so that the body is incomplete.
  package var failure: String?
  /// How long it took, the client's time to read included.
  package var duration: Duration
}
