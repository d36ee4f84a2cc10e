package import SeedTransport

/// One page of an API as it came, for an adapter to read.
public struct RESTPage: Sendable {
  /// The address that was asked for, behind all redirects.
  public let url: String
  /// The whole body.
  public let body: [UInt8]
  private let headers: HTTPHeaders

  /// A page from its parts.
  package init(url: String, headers: HTTPHeaders, body: [UInt8]) {
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The value of the first header of a name; nil if there is none.
  ///
  /// - Parameter name: The name, in any case.
  /// - Returns: The value.
  public func header(_ name: String) -> String? { headers[name] }

  /// The reference that the header `Link` gives with `rel="next"`; nil on the last page.
  public var nextLink: String? { LinkHeader.next(in: headers) }
}

/// What an adapter makes of a page.
public struct RESTPageContent: Sendable {
  /// The rows that are there, or no longer there.
  public var changes: [RESTChange]
  /// The address of the next page, absolute or relative to the page's; nil on the last one.
  public var next: String?
  /// What ``RESTAdapter/firstPage`` is given once these changes are applied; nil leaves that as it is.
  ///
  /// Of several pages the last one that says something counts.
  public var cursor: String?
  /// How long to wait before the next look; nil leaves it to the options.
  public var pollAfter: Duration?

  /// A content from its parts.
  public init(
    changes: [RESTChange] = [], next: String? = nil, cursor: String? = nil,
    pollAfter: Duration? = nil
  ) {
    self.changes = changes
    self.next = next
    self.cursor = cursor
    self.pollAfter = pollAfter
  }
}

/// Rows of one table that are written or deleted.
public struct RESTChange: Sendable, Hashable {
  /// What becomes of the rows.
  public enum Operation: Sendable, Hashable {
    /// Rows are inserted, or updated where their key is there already.
    case upsert
    /// Rows with these keys are deleted.
    case delete
  }

  /// The table's name.
  public var table: String
  /// What becomes of the rows.
  public var operation: Operation
  /// The columns of each row: those of the key and, for an upsert, any others.
  public var columns: [String]
  /// The values, as many in each row as there are columns.
  public var rows: [[StreamValue]]

  /// Changes from their parts.
  public init(
    _ operation: Operation, table: String, columns: [String], rows: [[StreamValue]]
  ) {
    self.table = table
    self.operation = operation
    self.columns = columns
    self.rows = rows
  }
}

/// A value of a row, in one of SQLite's storage classes.
public enum StreamValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
