/// Turns the pages of an API that knows nothing of streams into changes of tables.
///
/// What it guarantees: all pages from the first to the last one are applied together, in one
/// transaction with the cursor, so an app never sees half of a walk; pages that came are not asked
/// for again after a failure; a page that comes twice does no harm, because rows are written by
/// their key. What it cannot guarantee, because nobody numbers the changes: that rows which an API
/// moves from one page to another meanwhile are on any of them, and that rows which are gone are
/// noticed, unless the API lists them. An API that pages by a key or an opaque cursor, not by an
/// offset, and that gives changes since a cursor, tombstones among them, has neither gap.
public struct RESTAdapter: Sendable {
  /// Gives the address of the first page for the cursor stored with the last changes; nil at first.
  public var firstPage: @Sendable (_ cursor: String?) throws -> String
  /// Reads a page; what it throws ends the run, and nothing of the walk is applied.
  public var read: @Sendable (RESTPage) throws -> RESTPageContent
  /// The value of the header `Accept`.
  public var accept = "application/json"
  /// The most bytes of a page, all of which an adapter gets at once.
  public var pageByteLimit = 64 << 20
  /// The most pages of a walk.
  public var pageLimit = 100_000

  /// An adapter from its two closures.
  ///
  /// - Parameters:
  ///   - firstPage: Gives the address of the first page for a cursor.
  ///   - read: Reads a page.
  public init(
    firstPage: @escaping @Sendable (_ cursor: String?) throws -> String,
    read: @escaping @Sendable (RESTPage) throws -> RESTPageContent
  ) {
    self.firstPage = firstPage
    self.read = read
  }
}
