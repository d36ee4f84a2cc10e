import SeedSQLite

/// Reads the first rows of tables within a bound for all of them together.
struct SampleReader {
  /// The most rows of a table that are shown.
  static let rowLimit = 10
  /// The most columns of a table that are shown.
  static let columnLimit = 40
  /// The most characters of a text that are shown.
  static let characterLimit = 80
  /// The most values that are read from all tables together: what bounds the memory.
  private static let valueLimit = 40_000

  private let connection: Connection
  private var valueCount = 0

  init(connection: Connection) {
    self.connection = connection
  }

  /// The first rows of a table; a table that cannot be read gives a gap instead.
  mutating func sample(of table: TableReport) -> TableSample {
    let columns = table.columns.prefix(Self.columnLimit).map(\.name)
    guard !columns.isEmpty else { return TableSample() }
    guard valueCount + columns.count * Self.rowLimit <= Self.valueLimit else {
      return TableSample(columns: columns, gap: .noRoom)
    }
    var sample = TableSample(columns: columns)
    do throws(SQLiteError) {
      let statement = try connection.prepare(Self.query(for: columns, of: table.name))
      while try statement.step() {
        sample.rows.append(columns.indices.map { Self.value(at: Int32($0) * 2, in: statement) })
      }
    } catch {
      sample.gap = .unreadable(error.message)
    }
    valueCount += columns.count * sample.rows.count
    return sample
  }

  /// Two results for each column: the value, or the size of a blob, and whether it is one.
  ///
  /// SQLite tells the type and the size of a blob without loading it. `NOT INDEXED` keeps it from
  /// reading an index instead of the table, which would give other rows in another order.
  private static func query(for columns: [String], of table: String) -> String {
    let results = columns.map { column in
      let name = SQLiteName.quoted(column)
      return "CASE typeof(\(name)) WHEN 'blob' THEN length(\(name)) ELSE \(name) END, "
        + "typeof(\(name)) = 'blob'"
    }
    return "SELECT \(results.joined(separator: ", ")) FROM \(SQLiteName.quoted(table)) "
      + "NOT INDEXED LIMIT \(rowLimit)"
  }

  private static func value(at index: Int32, in statement: Statement) -> TableSample.Value {
    switch statement.columnType(index) {
    case .null: .null
    case .integer where statement.integer(index + 1) != 0:
      .blob(byteCount: statement.integer(index))
    case .integer: .integer(statement.integer(index))
    case .real: .real(statement.real(index))
    case .text, .blob: statement.withTextBytes(index) { text(from: $0) }
    }
  }

  /// A text of which no more is decoded than is shown.
  private static func text(from bytes: UnsafeBufferPointer<UInt8>) -> TableSample.Value {
    // No scalar takes more than four bytes; one that is cut in two lies behind the limit.
    let start = String(decoding: bytes.prefix((characterLimit + 1) * 4), as: UTF8.self)
    let scalars = start.unicodeScalars.prefix(characterLimit)
    let isCut = scalars.endIndex < start.unicodeScalars.endIndex
    return .text(
      String(String.UnicodeScalarView(scalars)), isCut: isCut, byteCount: Int64(bytes.count))
  }
}
