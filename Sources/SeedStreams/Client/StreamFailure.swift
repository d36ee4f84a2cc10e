internal import SeedFiles
internal import SeedMerge
internal import SeedSQLite
internal import SeedTransport

/// Turns what goes wrong below into the error that an app sees.
internal struct StreamFailure {
  internal var stream: String
  internal var phase: StreamPhase
  internal var position: StreamPosition?
  /// The database.
  internal var path: String
  internal var files: FileSystem

  /// Less room than this on the disk makes a failure to write one for want of room.
  private static let leastRoom: Int64 = 1 << 20

  /// The error for any error.
  internal func error(for error: any Error) -> StreamError {
    if var known = error as? StreamError {
      known.position = known.position ?? position
      return known
    }
    return StreamError(reason(of: error), stream: stream, phase: phase, position: position)
  }

  private func reason(of error: any Error) -> StreamError.Reason {
    switch error {
    case let error as TransportError: Self.reason(of: error)
    case let error as MissingObject: .missingObject(sha256: error.sha256)
    case let error as SegmentError: .unsupportedFormat(error.description)
    case let error as StreamHeadError: .unsupportedFormat(error.description)
    case let error as MergeError: reason(of: error)
    case let error as SQLiteError: reason(of: error, table: "")
    case let error as FileError:
      error.isFull ? .diskFull(needed: nil, available: nil) : .file(error.description)
    case let error as StreamDatabase.Failure: reason(of: error)
    case let error as CursorError:
      switch error {
      case .database(let cause): reason(of: cause, table: "")
      case .malformed(let words): .unsupportedFormat(words)
      }
    case is CancellationError: .cancelled
    default: .file("\(error)")
    }
  }

  private func reason(of failure: StreamDatabase.Failure) -> StreamError.Reason {
    switch failure {
    case .missing: .noDatabase(path: path)
    case .notSeeded: .notSeeded
    case .malformed(let words): .unsupportedFormat(words)
    case .incompatible(let table, let column): .schemaIncompatible(table: table, column: column)
    }
  }

  private static func reason(of error: TransportError) -> StreamError.Reason {
    switch error.reason {
    case .cancelled: .cancelled
    case .status(401, _), .status(403, _): .unauthorized(url: error.url)
    case .status(404, _), .status(410, _): .notFound(url: error.url)
    case .encoded(let coding): .contentTransformed(header: "Content-Encoding: \(coding)")
    case .untrusted, .redirectRefused, .invalidURL, .invalidHeader, .noLibrary, .tooLarge,
      .changing:
      .refused(error.description)
    // Nothing that waiting would change.
    case .status where !error.isTransient: .refused(error.description)
    case .unreachable, .timedOut, .handshake, .cut, .malformed, .status:
      .offline(error.description)
    }
  }

  private func reason(of error: MergeError) -> StreamError.Reason {
    switch error.reason {
    case .foreignKeys(let violations):
      return .foreignKeyViolation(
        violations.map { .init(table: $0.table, rowID: $0.rowID, parent: $0.parent) })
    case .constraint(_, let message): return .constraint(table: error.table, message: message)
    case .changedByForeignKeys, .leftParked, .referenceNotKept:
      return .constraint(table: error.table, message: error.description)
    // What was published is at fault, and nothing that the app has.
    case .notAnInteger: return .unsupportedFormat(error.description)
    case .nullInKey(let column):
      return .constraint(table: error.table, message: "NULL in column \"\(column)\" of the key")
    case .database:
      guard let cause = error.sqlite else { return .database(code: 0, message: error.message) }
      return reason(of: cause, table: error.table)
    case .noSuchColumn(let column), .generatedColumn(let column), .keyColumnNotGiven(let column),
      .columnNotDeclared(let column), .columnNotGiven(let column):
      return .schemaIncompatible(table: error.table, column: column)
    case .noSuchTable, .notAnOrdinaryTable, .keyIsNotUnique, .tableNotDeclared:
      return .schemaIncompatible(table: error.table, column: nil)
    }
  }

  private func reason(of error: SQLiteError, table: String) -> StreamError.Reason {
    if error.isDiskFull { return .diskFull(needed: nil, available: nil) }
    if error.isInputOutput, isDiskFull { return .diskFull(needed: nil, available: nil) }
    if error.constraint != nil { return .constraint(table: table, message: error.message) }
    if error.cannotOpen { return .noDatabase(path: path) }
    if error.isNotADatabase || error.isCorrupt {
      return .database(code: error.code, message: "\(path): \(error.message)")
    }
    return .database(code: error.code, message: error.message)
  }

  /// Whether hardly anything can be written beside the database.
  private var isDiskFull: Bool {
    do throws(FileError) {
      return try files.availableByteCount(path) < Self.leastRoom
    } catch {
      // The error that is being told stays the better one.
      return false
    }
  }
}
