import Foundation
import Testing

/// What single values become, asked of the finished database.
@Suite struct ValueTests {
  /// The values of one attribute over a few records, the type of its column, and what is stored.
  struct Values: CustomTestStringConvertible {
    var written: [String]
    var type: String
    var stored: [String]

    init(_ written: [String], _ type: String, _ stored: [String]) {
      self.written = written
      self.type = type
      self.stored = stored
    }

    /// Values that stay text, exactly as they are written.
    init(text written: [String]) {
      self.init(written, "TEXT", written.map { "'\($0)'" })
    }

    var testDescription: String { "\(written) as \(type)" }

    /// A document with one record a value.
    var document: String {
      "<r>" + written.map { "<v a=\"\($0)\"/>" }.joined(separator: "\n") + "</r>"
    }
  }

  static let numbers = [
    Values(text: ["007", "8"]),
    Values(text: ["00601"]),
    Values(text: ["-0"]),
    Values(text: ["-0", "1"]),
    Values(text: ["+5", "6"]),
    Values(text: ["1.10", "1.1"]),
    Values(text: ["1.0", "2"]),
    Values(text: ["18446744073709551615"]),
    Values(text: ["9223372036854775808", "1"]),
    Values(text: ["1e400"]),
    Values(text: ["-1e400", "0.5"]),
    Values(text: ["0.1000000000000000055"]),
    Values(text: ["9007199254740993", "0.5"]),
    Values(text: ["-0.0"]),
    Values(text: ["NaN"]),
    Values(text: ["inf", "1"]),
    Values(text: ["0x10"]),
    Values(text: ["1_000"]),
    Values(text: ["1,000"]),
    Values(text: [" 1"]),
    Values(text: ["1 "]),
    Values(text: ["١٢"]),
    Values(text: ["n/a", "5"]),
    Values(
      ["9223372036854775807", "-9223372036854775808"], "INTEGER",
      ["9223372036854775807", "-9223372036854775808"]),
    Values(["0", "-7", "12"], "INTEGER", ["0", "-7", "12"]),
    Values(["1.10", "2.25"], "REAL", ["1.1", "2.25"]),
    Values(["1.5", "2"], "REAL", ["1.5", "2.0"]),
    Values([".5", "5E0", "12.25"], "REAL", ["0.5", "5.0", "12.25"]),
    Values(["-12.50", "100.00"], "REAL", ["-12.5", "100.0"]),
  ]

  static let emptyAndAbsent = [
    Values(text: [""]),
    Values(text: ["", "x"]),
    Values(["", "1"], "INTEGER", ["NULL", "1"]),
    Values(["0.5", ""], "REAL", ["0.5", "NULL"]),
    Values(["", "16.01.2010"], "DATE", ["NULL", "'2010-01-16'"]),
    Values(["true", ""], "BOOLEAN", ["1", "NULL"]),
  ]

  static let booleans = [
    Values(["true", "false"], "BOOLEAN", ["1", "0"]),
    Values(["false"], "BOOLEAN", ["0"]),
    Values(["YES", "NO"], "BOOLEAN", ["1", "0"]),
    Values(text: ["true", "TRUE"]),
    Values(text: ["TRUE", "FALSE"]),
    Values(text: ["NO", "NO"]),
    Values(text: ["NO", "DE"]),
    Values(text: ["true", "NO"]),
    Values(text: ["true", "1"]),
    Values(["1", "0"], "INTEGER", ["1", "0"]),
  ]

  static let dates = [
    Values(["16.01.2010", "01.02.2010"], "DATE", ["'2010-01-16'", "'2010-02-01'"]),
    Values(["29.02.2012"], "DATE", ["'2012-02-29'"]),
    Values(text: ["29.02.2011"]),
    Values(text: ["28.02.2011", "31.02.2010"]),
    Values(["2010-01-16"], "DATE", ["'2010-01-16'"]),
    Values(text: ["2010-02-30"]),
    Values(["05/03/2010", "25/03/2010"], "DATE", ["'2010-03-05'", "'2010-03-25'"]),
    Values(["05/13/2010", "05/03/2010"], "DATE", ["'2010-05-13'", "'2010-05-03'"]),
    Values(text: ["25/03/2010", "03/25/2010"]),
    Values(["2010-01-16T10:00:00Z"], "DATETIME", ["'2010-01-16T10:00:00Z'"]),
    Values(["2008-07-31T21:42:52.660"], "DATETIME", ["'2008-07-31T21:42:52.660'"]),
    Values(["2010-01-16T10:00:00+02:00"], "DATETIME", ["'2010-01-16T10:00:00+02:00'"]),
    Values(text: ["2010-01-16T25:00:00Z"]),
    Values(["20100116"], "INTEGER", ["20100116"]),
    Values(text: ["16.01.2010", "soon"]),
  ]

  @Test(arguments: [numbers, emptyAndAbsent, booleans, dates].joined().map(\.self))
  func `a value is converted only if nothing of it is lost`(values: Values) async throws {
    let database = try await Workspace().build(values.document)
    let rows = try await database.rows(
      "SELECT (SELECT type FROM pragma_table_info('v') WHERE name = 'a'), typeof(a), a"
        + " FROM v ORDER BY rowid")
    let expected = values.stored.map { ["'\(values.type)'", Self.storageClass(of: $0), $0] }
    #expect(rows == expected)
    #expect(rows.map { $0.map { Array($0.utf8) } } == expected.map { $0.map { Array($0.utf8) } })
  }

  /// The storage class that SQLite must report for a literal.
  static func storageClass(of literal: String) -> String {
    if literal == "NULL" { return "'null'" }
    if literal.hasPrefix("'") { return "'text'" }
    return literal.contains(".") ? "'real'" : "'integer'"
  }

  @Test func `a date that could be read in two ways stays text and says so`() async throws {
    let database = try await Workspace().build(
      "<r>\n<v a=\"05/03/2010\"/>\n<v a=\"06/03/2010\"/>\n</r>")
    #expect(try await database.column("SELECT a FROM v") == ["'05/03/2010'", "'06/03/2010'"])
    #expect(database.outcome.errors.contains("--date-format"), "\(database.outcome.errors)")
  }

  @Test func `an absent attribute is NULL and never the value of the row before`() async throws {
    let database = try await Workspace().build(
      #"<r><v a="1" b="x"/><v a="2"/><v b=""/><v/><v a="5" b="y"/></r>"#)
    #expect(
      try await database.rows("SELECT a, b FROM v ORDER BY rowid")
        == [["1", "'x'"], ["2", "NULL"], ["NULL", "''"], ["NULL", "NULL"], ["5", "'y'"]])
    #expect(
      try await database.definition(of: "v")
        == "CREATE TABLE v (\n  id INTEGER PRIMARY KEY,\n  a INTEGER,\n  b TEXT\n)")
  }

  @Test func `text keeps spaces, line breaks and forms of equal characters`() async throws {
    let database = try await Workspace().build(
      "<r><v a=\" x&#9;&#10;&#13; y \">  <t> \u{e9}\r\ne\u{301} </t><u> </u></v><v a=\"\"/></r>")
    #expect(
      try await database.rows("SELECT hex(a), hex(t), hex(u) FROM v ORDER BY rowid") == [
        ["'2078090A0D207920'", "'20C3A90A65CC8120'", "'20'"], ["''", "''", "''"],
      ])
    #expect(
      try await database.rows("SELECT typeof(t), typeof(u) FROM v ORDER BY rowid")
        == [["'text'", "'text'"], ["'null'", "'null'"]])
  }

  @Test func `mixed content keeps its text and warns that the order is lost`() async throws {
    let database = try await Workspace().build(
      "<r>\n<p k=\"1\">one <b>two</b> three</p>\n<p k=\"2\"/>\n</r>")
    #expect(
      try await database.rows("SELECT text, b FROM p") == [
        ["'one  three'", "'two'"], ["NULL", "NULL"],
      ])
    #expect(database.outcome.errors.contains("warning"), "\(database.outcome.errors)")
    #expect(database.outcome.errors.contains("input.xml:2"), "\(database.outcome.errors)")
  }
}
