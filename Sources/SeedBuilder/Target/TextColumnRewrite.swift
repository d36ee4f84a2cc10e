/// Turns the declared type `STRING` of columns into `TEXT`.
///
/// SQLite knows no STRING: such a column has NUMERIC affinity, which turns '007' into 7
/// (sqlite.org/datatype3.html, 3.1). A column that is called a string must keep its texts, and
/// compare them as texts, which only a column of TEXT affinity does.
struct TextColumnRewrite {
  /// The statement with the types replaced.
  private(set) var sql: String
  /// The columns whose type was replaced.
  private(set) var columns: [String] = []

  /// Looks through a `CREATE TABLE` statement.
  init(_ createTable: String) {
    sql = createTable
    var replaced: [Range<Int>] = []
    for column in TextColumnRewrite.definitions(SQLToken.tokens(of: createTable)) {
      guard let name = column.first,
        let type = column.dropFirst().prefix(while: { $0.kind == .name }).first(where: {
          $0.value.uppercased() == "STRING"
        })
      else { continue }
      columns.append(name.value)
      replaced.append(type.range)
    }
    var bytes = Array(createTable.utf8)
    for range in replaced.reversed() { bytes.replaceSubrange(range, with: Array("TEXT".utf8)) }
    sql = String(decoding: bytes, as: UTF8.self)
  }

  /// The words that begin a constraint of a table, and so no column.
  private static let constraints: Set<String> = [
    "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN",
  ]
  /// The words that end a column's type.
  private static let columnConstraints: Set<String> = [
    "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
    "GENERATED", "AS",
  ]

  /// The name and the type of each column, as tokens.
  private static func definitions(_ tokens: [SQLToken]) -> [[SQLToken]] {
    var depth = 0
    var result: [[SQLToken]] = []
    var current: [SQLToken] = []
    var hasType = false
    func finish() {
      if let first = current.first,
        first.isQuoted || !constraints.contains(first.value.uppercased())
      {
        result.append(current)
      }
      current = []
      hasType = false
    }
    for token in tokens {
      if token.matches("(") {
        depth += 1
        if depth > 1 { hasType = true }
      } else if token.matches(")") {
        depth -= 1
        if depth == 0 {
          finish()
          break
        }
      } else if depth == 1, token.matches(",") {
        finish()
      } else if depth == 1, !hasType {
        let endsType =
          !current.isEmpty && !token.isQuoted
          && columnConstraints.contains(token.value.uppercased())
        if endsType { hasType = true } else { current.append(token) }
      }
    }
    return result
  }
}
