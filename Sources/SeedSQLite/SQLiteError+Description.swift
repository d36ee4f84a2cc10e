extension SQLiteError: CustomStringConvertible {
  /// The message, the file and the statement in one line: `default.sqlite: disk is full (in "…")`.
  package var description: String {
    let place = path.isEmpty ? "" : "\(path): "
    return "\(place)\(message) (\(context), code \(code))"
  }

  /// The operation as it reads in a sentence; a long statement is cut short.
  private var context: String {
    let longest = 200
    guard operation.unicodeScalars.count > longest else { return "in \"\(operation)\"" }
    return "in \"\(String(operation.unicodeScalars.prefix(longest)))…\""
  }

  /// What to do about the error, as an imperative sentence, where something can be said.
  package var hint: String? {
    if let missingPart { return Self.hint(for: missingPart) }
    if isDiskFull { return "free some space on the disk, or write to another one" }
    if isCorrupt { return "restore the file from a copy; it is damaged" }
    if isNotADatabase { return "check that the file is an SQLite database" }
    if isBusy { return "close the program that has the database open" }
    return nil
  }

  private static func hint(for part: MissingPart) -> String {
    switch part {
    case .function, .collation:
      "only a program that adds \(part.name) can do this; fill an ordinary column with the value, or "
        + "use what SQLite itself has"
    case .untrustedFunction:
      "the file is sound, but this version of SQLite does not call \(part.name) in a schema that it "
        + "does not trust; fill an ordinary column with the value, and index that"
    case .module: "only a program that adds \(part.name) can read its tables"
    }
  }
}
