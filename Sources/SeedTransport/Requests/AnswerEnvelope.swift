/// The members of the object in which a server wraps its answers.
///
/// The rules are those of `envelope` in `seed.json`: the answer holds data if the member `success` is
/// `true`; otherwise the member `message` says why not.
public struct AnswerEnvelope: Sendable, Hashable {
  /// The member that is `true` when the answer holds data; nil when there is none to look at.
  public var success: String?
  /// The member with the data; nil when the data are the other members of the object itself.
  public var data: String?
  /// The member that says why there are no data; nil when there is none.
  public var message: String?

  /// An envelope from the names of its members.
  public init(
    success: String? = "success", data: String? = "data", message: String? = "message"
  ) {
    self.success = success
    self.data = data
    self.message = message
  }

  /// `{"success": …, "data": …, "message": …}`.
  public static let standard = AnswerEnvelope()
}
