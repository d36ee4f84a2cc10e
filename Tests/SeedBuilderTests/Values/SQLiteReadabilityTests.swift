import SeedModel
import SeedSQLite
import Testing

@testable import SeedBuilder

@Suite struct SQLiteReadabilityTests {
  @Test(arguments: [
    "2010-01-16", "16.01.2010", "1/16/2010", "2010-01-16T10:05", "2010-01-16T10:05:09.123456789Z",
    "2010-01-16T10:05:09-14:59", "2010-01-16T10:05:09+0130", "2010-01-16 10:05",
    "2010-01-16 10:05:09.5+01:00", "2010-01-16 10:05:09 +0000", "2010-01-16 10:05:09 -0330",
    "16.01.2010 10:05", "16/01/2010 10:05:09.25", "0001-01-01T00:00:00", "9999-12-31",
  ])
  func `SQLite reads every converted date`(text: String) throws {
    guard case .text(let iso)? = stored([text]).first, columnType([text]) != .text else {
      Issue.record("\"\(text)\" is not converted")
      return
    }
    let read = try sqliteDateTime(iso)
    #expect(read != nil, "\(iso)")
  }

  @Test(arguments: [
    ("2010-01-16 23:30:00 -0330", "2010-01-17 03:00:00"),
    ("2010-01-16T00:30:00+0100", "2010-01-15 23:30:00"), ("6.1.2010", "2010-01-06 00:00:00"),
  ])
  func `SQLite reads the instant meant`(text: String, utc: String) throws {
    guard case .text(let iso)? = stored([text]).first else {
      Issue.record("\"\(text)\" is not converted")
      return
    }
    #expect(try sqliteDateTime(iso) == utc)
  }

  /// What SQLite's `datetime()` makes of a text; nil for NULL.
  private func sqliteDateTime(_ text: String) throws -> String? {
    try Connection.inMemory().scalarText("SELECT datetime(?)", .text(text))
  }
}
