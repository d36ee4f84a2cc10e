/// Names as SQL writes them: plain, or in double quotes with a quote in them doubled.
///
/// Understands `item.category_id`, `"my.table"."a ""b"""`, `event(a, b)` and `unique event(a)`.
struct QuotedNames {
  private var rest: Substring.UnicodeScalarView

  private init(_ text: String) {
    rest = Substring(text).unicodeScalars
  }

  /// A table and a column with a dot between them; nil when the text is something else.
  static func column(_ text: String) -> (table: String, column: String)? {
    var names = QuotedNames(text)
    guard let table = names.name(), names.take("."), let column = names.name(), names.isAtEnd
    else { return nil }
    return (table, column)
  }

  /// A table with columns in parentheses, after the word `unique` or not; nil when the text is
  /// something else.
  static func index(_ text: String) -> (isUnique: Bool, table: String, columns: [String])? {
    var names = QuotedNames(text)
    guard var table = names.name() else { return nil }
    var isUnique = false
    // The word itself may be a table's name: `unique(a)`.
    if table.lowercased() == "unique", !names.isNext("("), let second = names.name() {
      isUnique = true
      table = second
    }
    guard names.take("(") else { return nil }
    var columns: [String] = []
    repeat {
      guard let column = names.name() else { return nil }
      columns.append(column)
    } while names.take(",")
    guard names.take(")"), names.isAtEnd else { return nil }
    return (isUnique, table, columns)
  }

  /// A name as this type reads it: in double quotes unless it is plain.
  static func text(_ name: String) -> String {
    var names = QuotedNames(name)
    let isPlain = names.plainName() == name && name.lowercased() != "unique"
    return isPlain
      ? name
      : "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }

  private var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return rest.isEmpty
    }
  }

  private mutating func skipBlanks() {
    rest = rest.drop { $0.properties.isWhitespace }
  }

  private mutating func isNext(_ scalar: Unicode.Scalar) -> Bool {
    skipBlanks()
    return rest.first == scalar
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard isNext(scalar) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func name() -> String? {
    take("\"") ? quotedName() : plainName()
  }

  private mutating func plainName() -> String? {
    let name = rest.prefix { scalar in
      switch scalar {
      case ".", ",", "(", ")", "\"": false
      default: !scalar.properties.isWhitespace
      }
    }
    rest = rest[name.endIndex...]
    return name.isEmpty ? nil : String(String.UnicodeScalarView(name))
  }

  private mutating func quotedName() -> String? {
    var name = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar != "\"" {
        name.append(scalar)
      } else if rest.first == "\"" {
        name.append(scalar)
        rest.removeFirst()
      } else {
        return name.isEmpty ? nil : String(name)
      }
    }
    return nil
  }
}
