/// How a table is loaded from a HyperHive server.
public struct HyperHiveLoadOptions: Sendable, Hashable {
  /// What is asked for.
  public enum Extent: String, Sendable, Hashable, CaseIterable {
    /// What has changed, if the database has a version; else the whole.
    case changesIfPossible
    /// What has changed, since version 0 if the database has none.
    case changes
    /// The whole table, whatever the database has.
    case whole
  }

  /// What is asked for.
  public var extent = Extent.changesIfPossible
  /// Whether the tables are named after the parameters, too, so that each set of them has its own.
  public var isCachedByParameters = false
  /// The input parameters of the resource as the text of a JSON object; nil and "" are none.
  public var parameters: String?
  /// An id for the server, which answers a repetition with the same id as it did before.
  public var transactionID: String?
  /// How often a failed request is repeated after the first try.
  public var retryCount = 0
  /// How long to wait before each repetition; a server may ask for more.
  public var retryInterval: Duration = .zero
  /// Whether a broken load goes on where it was, in this call and in a later one.
  public var resumes = false
  /// The folder for what came of unfinished loads, made if it is missing; nil is one beside the
  /// database.
  public var downloadFolder: String?

  /// The options of a load of all rows without repetitions.
  public init() {}

  /// Checks what cannot be told by types.
  internal func validate() throws(HyperHiveError) {
    guard retryCount >= 0 else {
      throw HyperHiveError(
        .invalidArgument("a negative number of repetitions"), place: "retryCount")
    }
    guard retryInterval >= .zero else {
      throw HyperHiveError(.invalidArgument("a negative interval"), place: "retryIntervalSec")
    }
    if let id = transactionID, !id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) || id.isEmpty {
      throw HyperHiveError(
        .invalidArgument("an id is visible ASCII characters"), place: "transactionID")
    }
  }
}
