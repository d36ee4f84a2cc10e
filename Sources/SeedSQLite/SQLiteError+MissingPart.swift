/// Something that a schema needs and that this SQLite, or this connection, does not have.
///
/// The file is sound: an app that adds the part, or another version of SQLite, reads it.
package enum MissingPart: Sendable, Hashable {
  /// A function that an app adds, or that a newer version or another build of SQLite has.
  case function(String)
  /// A collation that an app adds.
  case collation(String)
  /// A function that SQLite has, and does not call where it does not trust the schema.
  case untrustedFunction(String)
  /// The module of a virtual table.
  case module(String)

  /// What it is, as a sentence has it: `the function "area"`.
  package var name: String {
    switch self {
    case .function(let name), .untrustedFunction(let name): "the function \"\(name)\""
    case .collation(let name): "the collation \"\(name)\""
    case .module(let name): "the module \"\(name)\""
    }
  }
}

extension SQLiteError {
  /// What the schema needs and is not there; nil for every other error.
  ///
  /// SQLite has no code for it, but that of a wrong statement, or of damage where it is found while
  /// the schema is read. Its words are the same in all versions that this package runs with.
  package var missingPart: MissingPart? {
    let forms: [(String, (String) -> MissingPart)] = [
      ("unknown function: ", MissingPart.function), ("no such function: ", MissingPart.function),
      ("unsafe use of ", MissingPart.untrustedFunction),
      ("no such collation sequence: ", MissingPart.collation),
      ("no such module: ", MissingPart.module),
    ]
    for (words, part) in forms {
      guard let range = message.firstRange(of: words) else { continue }
      var name = message[range.upperBound...]
      if name.hasSuffix("()") { name = name.dropLast(2) }
      return part(String(name))
    }
    return nil
  }
}
