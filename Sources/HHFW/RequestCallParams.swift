/// The parameters of a call that loads a table.
///
/// A class, as in the framework that this module stands in for: callers change it through an
/// optional constant. It is not to be changed while a call that got it runs.
public final class RequestCallParams {
  /// The path of the database: a bare name, `/Documents/NAME` or an absolute path.
  public var dataBasePath: String?
  /// How many times a failed request is repeated after the first try.
  public var retryCount = 0
  /// The pause between two tries in seconds; a fraction is legal.
  public var retryIntervalSec = 0.0
  /// The input parameters of the resource as JSON; nil and an empty text are none.
  public var requestParams: String?

  /// Parameters with their defaults; never nil.
  ///
  /// - Parameter defaultDb: Only tells this initializer from others.
  public init?(defaultDb: Void) {}
}

/// The name that the older calls have for the same parameters.
public typealias TableCallParams = RequestCallParams
