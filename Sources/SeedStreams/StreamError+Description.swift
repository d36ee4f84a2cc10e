internal import SeedSQLite

extension StreamError: CustomStringConvertible {
  /// The stream, what is wrong and when, on one line.
  public var description: String {
    let place = stream.isEmpty ? "" : "stream \"\(stream)\": "
    return "\(place)\(message) (\(phase.rawValue))"
  }

  /// What is wrong, without the stream.
  public var message: String {
    switch reason {
    case .offline(let why): "the server cannot be used just now: \(why)"
    case .unauthorized(let url): "the server refuses the credentials: \(url)"
    case .notFound(let url): "there is no stream at \(url)"
    case .refused(let why): why
    case .missingObject(let sha256): "the server does not have the object \(sha256)"
    case .contentTransformed(let header): "something on the way changes the bytes (\(header))"
    case .digestMismatch(let object): "the object \(object) has other bytes than its digest says"
    case .signatureInvalid: "the head is not signed with a trusted key"
    case .webPage(let url): "a web page came in place of the head at \(url)"
    case .unsupportedFormat(let why): "what came cannot be used: \(why)"
    case .schemaIncompatible(let table, let column): Self.message(table, column)
    case .noDatabase(let path): "there is no database at \(path)"
    case .notSeeded:
      stream.isEmpty
        ? "the database does not stand in any stream"
        : "the database does not say where in the stream it stands"
    case .resetLoop: "the server asks for the same start anew again and again"
    case .noProgress: "the server does not bring the database any further"
    case .diskFull(let needed, let available):
      if let needed, let available {
        "the disk is full: \(needed) bytes are needed, \(available) are free"
      } else {
        "the disk is full"
      }
    case .foreignKeyViolation(let violations): Self.message(violations)
    case .constraint(let table, let message):
      table.isEmpty ? message : "table \"\(table)\": \(message)"
    case .database(let code, let message): "\(message) (SQLite \(code))"
    case .file(let message): message
    case .cancelled: "cancelled"
    }
  }

  private static func message(_ table: String, _ column: String?) -> String {
    let place = column.map { "column \"\($0)\" of table \"\(table)\"" } ?? "table \"\(table)\""
    return "\(place) is not in the stream, or in the database, as it has to be"
  }

  private static func message(_ violations: [ForeignKeyViolation]) -> String {
    guard let first = violations.first else { return "a row refers to a row that is not there" }
    let row = first.rowID.map { "row \($0)" } ?? "a row"
    let more = violations.count > 1 ? ", and \(violations.count - 1) more" : ""
    return "\(row) of \"\(first.table)\" refers to no row of \"\(first.parent)\"\(more)"
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  public var hint: String? {
    switch reason {
    case .offline, .missingObject, .noProgress, .resetLoop: "try again later"
    case .unauthorized: "check the credentials"
    case .notFound(let url): Self.hint(at: url)
    case .contentTransformed:
      "have the server or the proxy before it send objects as they are (no-transform)"
    case .digestMismatch: "publish the stream again, or empty the caches before the server"
    case .signatureInvalid: "check the keys that the app trusts"
    case .schemaIncompatible: "migrate the database, or publish under a new major version"
    case .noDatabase: "install the database first"
    case .notSeeded: "use a database that \"seed publish\" has published"
    case .diskFull: "free some space on the disk"
    case .foreignKeyViolation:
      "remove the app's rows that refer to what is gone, or declare ON DELETE CASCADE or SET NULL"
    case .constraint: "change the app's row or trigger that is in the way"
    case .webPage: "check the address; a proxy or a login page may stand before the server"
    case .database(let code, let message):
      SQLiteError(code: code, message: message, operation: "", path: "").hint
    case .refused, .unsupportedFormat, .file, .cancelled: nil
    }
  }

  /// Which of the two kinds of sources was asked, and what the other one is.
  private static func hint(at url: String) -> String {
    url.hasSuffix("/head.json")
      ? "check the address, which is that of the folder with head.json; an endpoint such as "
        + "/v1/streams/NAME is a dynamic source"
      : "check the address, which is that of an endpoint such as /v1/streams/NAME; a folder with "
        + "head.json is no dynamic source"
  }

  /// The kind of failure in one word, the same in every version.
  public var kind: String {
    switch reason {
    case .offline: "offline"
    case .unauthorized: "unauthorized"
    case .notFound: "notFound"
    case .refused: "refused"
    case .missingObject: "missingObject"
    case .contentTransformed: "contentTransformed"
    case .digestMismatch: "digestMismatch"
    case .signatureInvalid: "signatureInvalid"
    case .webPage: "webPage"
    case .unsupportedFormat: "unsupportedFormat"
    case .schemaIncompatible: "schemaIncompatible"
    case .noDatabase: "noDatabase"
    case .notSeeded: "notSeeded"
    case .resetLoop: "resetLoop"
    case .noProgress: "noProgress"
    case .diskFull: "diskFull"
    case .foreignKeyViolation: "foreignKeyViolation"
    case .constraint: "constraint"
    case .database: "database"
    case .file: "file"
    case .cancelled: "cancelled"
    }
  }
}
