internal import SeedModel
internal import SeedStreams

/// A call that loads tables, as it was when it was made: the caller may change its parameters later.
internal struct TableCall: Sendable {
  internal let method: String
  internal let resource: String
  internal let database: String
  internal var extent = HyperHiveLoadOptions.Extent.changesIfPossible
  internal var isCached = false
  internal var repeats = true
  private let transactionID: String?
  private let parameters: String?
  private let retryCount: Int
  private let retryIntervalSec: Double

  internal init(
    _ method: String, _ resource: String, _ transactionID: String?,
    _ parameters: RequestCallParams?
  ) {
    self.method = method
    self.resource = resource
    self.transactionID = transactionID
    database = parameters?.dataBasePath ?? DatabasePath.defaultName
    self.parameters = parameters?.requestParams
    retryCount = parameters?.retryCount ?? 0
    retryIntervalSec = parameters?.retryIntervalSec ?? 0
  }

  /// The call as a result repeats it.
  internal var request: HHFWResult.Request {
    HHFWResult.Request(
      method,
      [
        ("resource", .string(resource)), ("database", .string(database)),
        ("withCache", .bool(isCached)), ("transactionID", .string(transactionID)),
        ("requestParams", .string(parameters)),
        ("retryCount", .integer(repeats ? retryCount : 0)),
        ("retryIntervalSec", .number(retryIntervalSec)),
      ])
  }

  /// The options of the native call.
  ///
  /// - Throws: ``HyperHiveError`` for an interval that is no time.
  internal func options() throws -> HyperHiveLoadOptions {
    var options = HyperHiveLoadOptions()
    options.extent = extent
    options.isCachedByParameters = isCached
    options.parameters = parameters
    options.transactionID = transactionID
    options.retryCount = repeats ? retryCount : 0
    guard retryIntervalSec.isFinite, abs(retryIntervalSec) < 1e9 else {
      throw HyperHiveError.invalidInterval
    }
    options.retryInterval = .seconds(retryIntervalSec)
    return options
  }
}
