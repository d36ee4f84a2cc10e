internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// The PRAGMA statements of a schema script: what they say of the file holds for the database that is
/// built, wherever they stand; what they say of a connection holds for none that an app opens.
struct ScriptPragmas {
  private struct Pragma {
    var name: String
    /// The value; nil where the statement asks for it.
    var value: String?
    /// Where the name stands, in UTF-8 bytes.
    var index: Int
  }

  private let pragmas: [Pragma]
  private let text: String
  private let path: String

  /// The pragmas in the text of a script.
  init(of text: String, path: String) {
    self.text = text
    self.path = path
    let statements = SQLToken.tokens(of: text).split { $0.matches(";") }
    pragmas = statements.compactMap { tokens in
      var tokens = tokens
      guard tokens.first?.matches("PRAGMA") == true else { return nil }
      tokens.removeFirst()
      if tokens.dropFirst().first?.matches(".") == true { tokens.removeFirst(2) }
      guard let name = tokens.first, name.kind == .name else { return nil }
      let value = tokens.dropFirst(2).filter { !$0.matches(")") }.map(\.value).joined()
      return Pragma(
        name: name.value.lowercased(), value: tokens.count > 2 ? value : nil,
        index: name.range.lowerBound)
    }
  }

  /// Sets what has to be set before there is a table, on the empty database that the script is run in.
  ///
  /// - Throws: ``BuildError`` when a value cannot be that of a database.
  func apply(to connection: Connection) throws {
    // A size of pages holds no more once there is an automatic vacuum.
    let sizes = pragmas.filter { $0.name == "page_size" }
    for pragma in sizes + pragmas.filter({ $0.name != "page_size" }) {
      guard let value = pragma.value else { continue }
      switch pragma.name {
      case "user_version", "application_id":
        // SQLite takes what is no number, or too large a one, for 0.
        guard ScriptPragmas.whole(value) == nil else { continue }
        throw BuildError(
          .input,
          [
            diagnostic(
              .error, pragma, "\"\(value)\" is no value of PRAGMA \(pragma.name)",
              hint: "write a whole number of 32 bits")
          ])
      case "page_size", "auto_vacuum":
        let statement = "PRAGMA \(pragma.name) = \(SQLiteText.literal(value))"
        try connection.execute(statement)
        let found = try connection.scalarInteger("PRAGMA \(pragma.name)")
        guard found != ScriptPragmas.number(value, of: pragma.name) else { continue }
        throw BuildError(
          .input,
          [
            diagnostic(
              .error, pragma, "\"\(value)\" is no value of PRAGMA \(pragma.name)",
              hint: pragma.name == "page_size"
                ? "write a power of two from 512 to 65536" : "write NONE, FULL or INCREMENTAL")
          ])
      case "encoding":
        guard !["UTF-8", "UTF8"].contains(value.uppercased()) else { continue }
        throw BuildError(
          .input,
          [
            diagnostic(
              .error, pragma, "a build makes databases in UTF-8 only, and not in \"\(value)\"",
              hint: "leave the PRAGMA out")
          ])
      default: break
      }
    }
  }

  private static func whole(_ value: String) -> Int32? {
    let text = value.lowercased()
    guard text.hasPrefix("0x") else { return Int32(text) }
    return UInt32(text.dropFirst(2), radix: 16).map { Int32(bitPattern: $0) }
  }

  private static func number(_ value: String, of name: String) -> Int64? {
    guard name == "auto_vacuum" else { return Int64(value) }
    return switch value.uppercased() {
    case "NONE", "0": 0
    case "FULL", "1": 1
    case "INCREMENTAL", "2": 2
    default: nil
    }
  }

  /// What is said of those that the database cannot hold.
  var remarks: [Diagnostic] {
    pragmas.compactMap { pragma in
      guard let value = pragma.value else { return nil }
      switch pragma.name {
      case "page_size", "auto_vacuum", "encoding", "user_version", "application_id": return nil
      // What the sqlite3 shell writes at the top of a dump; a build checks references at its end.
      case "foreign_keys" where ["OFF", "0", "NO", "FALSE"].contains(value.uppercased()): return nil
      case "journal_mode":
        guard value.uppercased() != "DELETE" else { return nil }
        return diagnostic(
          .warning, pragma,
          "PRAGMA journal_mode = \(value) has no effect: a build makes one file, with the journal mode "
            + "DELETE", hint: "set it in the app when it opens the database")
      case "foreign_keys":
        return diagnostic(
          .warning, pragma,
          "PRAGMA foreign_keys holds for a connection alone: the database does not keep it",
          hint:
            "set it in the app when it opens the database; the build checks all references itself")
      case "writable_schema":
        return diagnostic(
          .warning, pragma,
          "PRAGMA writable_schema has no effect on the database, whose schema is made anew",
          hint: "leave it out, and write what is to be there as CREATE statements")
      default:
        return diagnostic(
          .warning, pragma,
          "PRAGMA \(pragma.name) holds for the script alone: the database does not keep it",
          hint: "see whether the name is right, or set it in the app when it opens the database")
      }
    }
  }

  private func diagnostic(
    _ severity: Diagnostic.Severity, _ pragma: Pragma, _ message: String, hint: String
  ) -> Diagnostic {
    let place = Array(text.utf8).withUnsafeBufferPointer { bytes in
      SourcePlace(bytes, startLine: 1, startColumn: 1).describe(index: pragma.index, file: path)
    }
    return Diagnostic(severity, message, at: place.0, excerpt: place.1, hint: hint)
  }
}
