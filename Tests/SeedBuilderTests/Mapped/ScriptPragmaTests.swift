import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// The PRAGMA statements of a schema script.
@Suite struct ScriptPragmaTests {
  private let input = [(name: "t.csv", text: "a\n1\n")]

  @Test(arguments: [
    ("PRAGMA user_version = 7;", "PRAGMA user_version", 7),
    ("pragma main.application_id(42);", "PRAGMA application_id", 42),
    ("PRAGMA page_size = 8192;", "PRAGMA page_size", 8_192),
    ("PRAGMA auto_vacuum = incremental;", "PRAGMA auto_vacuum", 2),
  ])
  func `what is about the file holds wherever it stands`(
    pragma: String, question: String, value: Int64
  ) throws {
    for schema in ["\(pragma) CREATE TABLE t(a INTEGER);", "CREATE TABLE t(a INTEGER); \(pragma)"] {
      let built = try BuiltProject(input, schema: schema)
      #expect(try built.rows(question) == [[.integer(value)]])
      #expect(built.remarks.isEmpty)
    }
  }

  @Test(arguments: [
    ("PRAGMA page_size = 1000;", "\"1000\" is no value of PRAGMA page_size"),
    ("PRAGMA auto_vacuum = SOME;", "\"SOME\" is no value of PRAGMA auto_vacuum"),
    ("PRAGMA application_id = 'Seed';", "\"Seed\" is no value of PRAGMA application_id"),
    ("PRAGMA user_version = 4294967297;", "\"4294967297\" is no value of PRAGMA user_version"),
    ("PRAGMA user_version = 1.5;", "\"1.5\" is no value of PRAGMA user_version"),
    ("PRAGMA encoding = 'UTF-16';", "a build makes databases in UTF-8 only, and not in \"UTF-16\""),
  ])
  func `a value that no database can have is refused`(pragma: String, message: String) throws {
    let said = try BuiltProject.failure(
      input, schema: "CREATE TABLE t(a INTEGER);\n\(pragma)")
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("schema.sql:2:8: \(message)") == true, "\(said)")
  }

  @Test(arguments: ["journal_mode = WAL", "foreign_keys = ON", "synchronous = NORMAL"])
  func `what the database cannot hold is named`(pragma: String) throws {
    let built = try BuiltProject(
      input, schema: "-- PRAGMA a = b;\nPRAGMA \(pragma); CREATE TABLE t(a INTEGER);")
    let name = pragma.prefix { $0 != " " }
    #expect(built.remarks.count == 1)
    #expect(built.remarks.first?.message.hasPrefix("PRAGMA \(name) ") == true)
    #expect(built.remarks.first?.location?.line == 2)
    #expect(built.remarks.first?.location?.column == 8)
  }

  @Test(arguments: [
    "PRAGMA auto_vacuum = 2; PRAGMA page_size = 8192;",
    "PRAGMA page_size = 8192; PRAGMA auto_vacuum = 2; PRAGMA encoding = UTF8;",
  ])
  func `the size of pages and an automatic vacuum hold in any order`(pragmas: String) throws {
    let built = try BuiltProject(input, schema: "\(pragmas) CREATE TABLE t(a INTEGER);")
    #expect(try built.rows("PRAGMA page_size") == [[.integer(8_192)]])
    #expect(try built.rows("PRAGMA auto_vacuum") == [[.integer(2)]])
  }

  @Test func `what a dump begins with needs no word`() throws {
    let built = try BuiltProject(
      input,
      schema: "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(a INTEGER);\nCOMMIT;")
    #expect(built.remarks.isEmpty)
  }
}
