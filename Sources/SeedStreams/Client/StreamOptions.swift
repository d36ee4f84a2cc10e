package import SeedTransport

/// A table of a stream and what of it the app takes, beside what came with the database.
public struct StreamTableDeclaration: Sendable, Hashable {
  /// The table's name.
  public var table: String
  /// The columns of its key, in their order.
  public var key: [String]
  /// The columns that the stream may write, the key's among them.
  public var columns: [String]

  /// A declaration from its parts.
  public init(table: String, key: [String], columns: [String]) {
    self.table = table
    self.key = key
    self.columns = columns
  }
}

/// How a stream goes about it; the defaults are for an app.
public struct StreamOptions: Sendable {
  /// Gives the headers that tell the server who asks, such as `Authorization`; nil for none.
  ///
  /// Called before the first request, and once more when the server refuses what it got. The headers
  /// go to the server of the stream alone, not where it redirects to.
  public var credentials: (@Sendable (StreamCredentialsRequest) async throws -> [String: String])?
  /// Public keys of Ed25519, raw, one of which must have signed the head; none for no signature.
  ///
  /// Only a static source has a head; with keys, any other one is refused.
  public var trustedKeys: [[UInt8]] = []
  /// Tables and columns that the stream may write besides those that came with the database.
  ///
  /// A column that a migration of the app has added gets its values by one merge of a snapshot.
  public var declaring: [StreamTableDeclaration] = []
  /// Rows that stay although the stream deletes them: by table, an SQL condition over its columns.
  ///
  /// `["product": "favourite = 1"]` keeps the products that the user has marked, in a column of the
  /// app's own, with all their values. They are no longer the stream's: ``StreamResult/kept`` counts
  /// them, and ``TableStream/verify()`` passes them over. A row that stays is in the way of nothing
  /// but its unique values: where another row of the stream takes one of those, or a row that it
  /// refers to is gone, the changes are refused as a whole, with `constraint` or
  /// `foreignKeyViolation`. The condition is looked at when the row is to be deleted.
  public var keepRows: [String: String] = [:]
  /// The path of the database that ships with this version of the app; nil for none.
  ///
  /// Where it is newer than the app's own one, it serves as the snapshot, without the network, and
  /// the tables and columns that it allows are allowed from then on.
  public var bundledDatabase: String?
  /// The folder for caches; nil for that of the system.
  ///
  /// What is in it may be deleted at any time.
  public var cacheDirectory: String?
  /// The bound of the first wait after a failure; each further one doubles it.
  public var retryDelay: Duration = .milliseconds(500)
  /// The longest wait that a server may ask for with `Retry-After`.
  ///
  /// Where it asks for more, ``TableStream/sync()`` ends at once with `offline`, and
  /// ``TableStream/run()`` asks again after this time. A date counts from the date of the same answer,
  /// so the device's clock does not matter.
  public var longestRetryAfter: Duration = .seconds(3600)
  /// The most attempts in a row without progress after which ``TableStream/sync()`` gives up.
  public var attempts = 8
  /// How long ``TableStream/run()`` waits at most before its first look, so that not all devices
  /// come at once when an app is updated or a push arrives; the wait is a random part of it.
  public var firstPollDelay: Duration = .seconds(30)
  /// How long to wait between two looks where the server says nothing; never less than 15 seconds.
  public var pollInterval: Duration = .seconds(300)

  /// How long a server may send nothing before the request is given up and made again.
  package var stallTimeout: Duration = .seconds(30)
  /// How many objects are fetched at once; they are applied in their order all the same.
  package var parallelDownloads = 2
  /// What says whether the device has a network; nil where nothing does.
  package var networkPath: NetworkPath? = .live

  /// The defaults.
  public init() {}
}
