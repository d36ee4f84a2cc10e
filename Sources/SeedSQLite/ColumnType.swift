internal import CSQLite

/// The five storage classes of SQLite's values.
package enum ColumnType: Sendable, Hashable {
  case integer, real, text, blob, null

  internal init(code: Int32) {
    switch code {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}
