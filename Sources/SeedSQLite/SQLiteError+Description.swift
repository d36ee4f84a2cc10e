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
    if isDiskFull { return "free some space on the disk, or write to another one" }
    if isCorrupt { return "restore the file from a copy; it is damaged" }
    if isNotADatabase { return "check that the file is an SQLite database" }
    if isBusy { return "close the program that has the database open" }
    return nil
  }
}
