import SeedFiles
import SeedFormat
package import SeedModel
import SeedSQLite

extension InspectionError {
  /// The error as a message with its place and what to do next.
  package var diagnostic: Diagnostic {
    Diagnostic(.error, message, at: SourceLocation(file: path), hint: hint)
  }

  private var message: String {
    switch reason {
    case .notFound: "no such file"
    case .directory: "this is a directory, not a database file"
    case .notRegular: "this is not a regular file"
    case .unreadable(let error): "cannot read the file: \(error.reason)"
    case .notADatabase(let signature):
      "this is not an SQLite database; it looks like \(signature.name)"
    case .cutOff(let byteCount, let expected):
      "the database is cut off: it has \(byteCount) of \(expected) bytes"
    case .database(let error): "cannot read the database: \(error.message)"
    }
  }

  private var hint: String? {
    switch reason {
    case .notFound where ["full", "quick"].contains(path):
      "name a database; a check is always a full one, and has no other form"
    case .notFound: "check the path"
    case .directory: "give the path of the database file in it"
    case .notRegular: "copy the data into a file first"
    case .unreadable(let error): error.hint
    case .notADatabase(let signature): signature.advice
    case .cutOff: "copy or download it again, or build it again"
    case .database(let error): error.hint
    }
  }
}
