internal import SeedFiles
internal import SeedMerge
internal import SeedSQLite
internal import SeedTransport

/// Why a call to a HyperHive server, or to the database that it fills, has failed.
///
/// Rows, versions and ETags in the database are then as they were before the call.
public struct HyperHiveError: Error, Sendable {
  /// Who has failed, in the words of the vendor's results.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The server refused, or answered with something else than was asked for.
    case server = "Server"
    /// No complete answer came; the code is that of libcurl, on every platform.
    case transport = "cURL"
    /// SQLite refused; the code is its extended result code.
    case database = "SQLite"
    /// The call itself, a file, or an answer that cannot be understood.
    case core = "Core"
  }

  /// What went wrong.
  public enum Reason: Sendable, Hashable {
    /// The server refused with a status, or with a code in its answer, and perhaps in words.
    case refused(code: Int, description: String)
    /// The network failed: libcurl's code and words.
    case transport(code: Int, message: String)
    /// SQLite failed: its extended code and words.
    case database(code: Int, message: String)
    /// A file of the download folder cannot be read or written: the system's number and words.
    case file(code: Int, message: String)
    /// The answer is not what it should be.
    case malformedAnswer(String)
    /// The server answered with a web page.
    case webPage
    /// The type of a column in the server's schema is not what it was.
    case changedType(table: String, column: String, from: String, to: String)
    /// The key of a table in the server's schema is not what it was.
    case changedKey(table: String)
    /// An argument of the call makes no sense, and why.
    case invalidArgument(String)
    /// Nobody has logged in yet.
    case notAuthenticated
    /// The call was cancelled.
    case cancelled
  }

  /// What went wrong.
  public var reason: Reason
  /// Where: an address, a table with row and column, a file, or the name of an argument.
  public var place: String
  /// What passed between client and server before it failed.
  public var exchange: HyperHiveExchange

  internal init(
    _ reason: Reason, place: String, exchange: HyperHiveExchange = HyperHiveExchange()
  ) {
    self.reason = reason
    self.place = place
    self.exchange = exchange
  }

  /// Describes any error that a part of the client throws.
  internal init(_ error: any Error, place: String, exchange: HyperHiveExchange) {
    switch error {
    case let error as HyperHiveError:
      self = error
      self.exchange = exchange
    case let error as TransportError:
      self.init(Self.reason(of: error), place: error.url, exchange: exchange)
    case let error as SQLiteError:
      self.init(
        .database(code: Int(error.code), message: error.message), place: error.path,
        exchange: exchange)
    case let error as MergeError:
      let reason: Reason =
        error.sqlite.map { .database(code: Int($0.code), message: $0.message) }
        ?? .malformedAnswer("\(error)")
      self.init(reason, place: "table \"\(error.table)\"", exchange: exchange)
    case let error as FileError:
      self.init(
        .file(
          code: Int(error.code), message: "\(error.reason) (\(error.operation.rawValue))"),
        place: error.path,
        exchange: exchange)
    case let error as PublishError:
      self.init(.file(code: 0, message: error.message), place: error.path, exchange: exchange)
    case let error as JSONProblem:
      self.init(
        .malformedAnswer("\(error.message) (byte \(error.offset))"), place: place,
        exchange: exchange)
    default:
      self.init(.malformedAnswer("\(error)"), place: place, exchange: exchange)
    }
  }

  private static func reason(of error: TransportError) -> Reason {
    switch error.reason {
    case .status(let status, _): .refused(code: status, description: error.message)
    case .cancelled: .cancelled
    case .invalidURL, .invalidHeader: .invalidArgument(error.message)
    default: .transport(code: code(of: error.reason), message: error.message)
    }
  }

  /// The code that libcurl has for a failure, whichever library made the request.
  private static func code(of reason: TransportError.Reason) -> Int {
    switch reason {
    case .unreachable: 7
    case .timedOut: 28
    case .handshake: 35
    case .untrusted: 60
    case .cut, .changing: 18
    case .tooLarge: 63
    case .malformed: 8
    case .encoded: 61
    case .redirectRefused: 47
    case .noLibrary: 2
    case .invalidURL, .invalidHeader: 3
    case .status: 22
    case .cancelled: 42
    }
  }

  /// Who has failed.
  public var source: Source {
    switch reason {
    case .refused: .server
    case .transport: .transport
    case .database: .database
    case .file, .malformedAnswer, .webPage, .changedType, .changedKey, .invalidArgument,
      .notAuthenticated, .cancelled:
      .core
    }
  }

  /// The number of the failure: a status, libcurl's, SQLite's or the system's code; else 0.
  public var code: Int {
    switch reason {
    case .refused(let code, _), .transport(let code, _), .database(let code, _),
      .file(let code, _):
      code
    default: 0
    }
  }
}

extension HyperHiveError {
  /// The error of a call before the server is named.
  package static var notInitialized: HyperHiveError {
    HyperHiveError(
      .invalidArgument("no server is named; call initWithCredentials first"), place: "")
  }

  /// The error of an interval that is no time.
  package static var invalidInterval: HyperHiveError {
    HyperHiveError(.invalidArgument("not a number of seconds"), place: "retryIntervalSec")
  }

  /// The error of a path that names no database.
  package static func invalidPath(_ path: String) -> HyperHiveError {
    HyperHiveError(.invalidArgument("this names no file"), place: path)
  }
}
