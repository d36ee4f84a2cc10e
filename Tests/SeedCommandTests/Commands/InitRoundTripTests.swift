import Foundation
import SeedProject
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

/// A project file that nobody has changed builds what a build without it does.
@Suite struct InitRoundTripTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The statements of a database's tables and indexes, and the rows of its tables.
  private func content(of path: String) throws -> [String: [[SQLiteValue]]] {
    let connection = try Connection(path: path, mode: .readOnly)
    // Indexes are made at other times in a build with a project file, which nobody sees.
    var content = [
      "": try connection.rows(
        "SELECT type, name, sql FROM sqlite_schema ORDER BY type = 'index', "
          + "CASE type WHEN 'index' THEN name END, rowid")
    ]
    let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
    for case .text(let table) in tables.compactMap(\.first) where table != "_seed" {
      content[table] = try connection.rows("SELECT * FROM \(SQLiteName.quoted(table))")
    }
    return content
  }

  /// Builds sources both ways.
  private func compare(_ sources: [String], _ options: [String] = []) throws {
    let project = directory.path("seed.json")
    let plain = directory.path("plain.sqlite")
    let capture = CapturedConsole()
    let commands = [
      ["build"] + sources + options + ["-o", plain],
      ["init"] + sources + options + ["-o", project], ["build", "--config", project],
    ]
    for command in commands {
      let code = CommandLineTool.run(command, on: capture.console)
      try #require(code == .success, "\(capture.error)")
    }
    let built = directory.path("default.sqlite")
    #expect(try content(of: built) == content(of: plain))
    let stamp = "SELECT name FROM _seed"
    #expect(
      try Connection(path: built, mode: .readOnly).rows(stamp)
        == Connection(path: plain, mode: .readOnly).rows(stamp))
  }

  // MARK: Samples

  static let samples: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: Project.seeds.path)
    // Not those with a Core Data model, whose rules are the model's.
    return (names ?? []).filter { !$0.contains(".") && !hasModel($0) }.sorted()
  }()

  private static func hasModel(_ sample: String) -> Bool {
    let folder = Project.seeds.appendingPathComponent(sample).path
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).contains { $0.hasSuffix(".xcdatamodeld") }
  }

  @Test(arguments: samples)
  func `a sample comes out the same`(sample: String) throws {
    let folder = Project.seeds.appendingPathComponent(sample)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != "expected.sql" && !$0.hasPrefix(".") }.sorted()
    try compare(names.map { folder.appendingPathComponent($0).path })
  }

  // MARK: Shapes

  static let objects = [
    // Records that no path can name.
    #"[{"item":{"a":{}}},[[{"a":[]}]],{"a":{"q":1}}]"#,
    #"{"a":{"":{"b":[{"c":{"d":1}},{"c":{"d":2}}]}},"e":[{"f":1}]}"#,
    // A key beside others that are called like it.
    #"[{"id":{}},{"ID":{"id":{"ID":"v1","id":1}}}]"#,
    #"[{"id":"x","ID":1},{"id":"y","ID":2}]"#,
    // Names that look like paths.
    #"[{"b":1,"@a":1,".":2,"..":3,"x/y":4,"z":5,"@":6,"./.":7,"a":8},{"x/y":{"c":1}}]"#,
    #"[{"a":{},"@a":1},{"b":[{"a":1}]}]"#, #"[1,{".":2}]"#,
    #"{"x/y":[{"a":1},{"a":2}],"*":[{"b":1},{"b":2}],"..":{"c":{"d":1},"e":1}}"#,
    // Names that are equal but for their composition.
    #"[{"é":1,"e\u0301":"x"},{"é":2,"e\u0301":"y"}]"#,
    // References between others.
    #"[{"a":1,"n":{"b":1,"n":{"c":1,"n":{"d":1}}}}]"#,
    // Rows and columns that only some records have, in another order.
    #"{"p":[{"t":{"a":1,"c":3}}],"q":[{"t":{"b":2}}],"r":[{"t":{"c":1,"a":2,"b":3}}]}"#,
  ]

  @Test(arguments: objects)
  func `a JSON document comes out the same`(text: String) throws {
    try compare([try directory.write(text, to: "record.json")])
  }

  @Test func `an empty value at one place is empty at another too`() throws {
    let list = """
      <plist version="1.0"><array><dict><key>d</key><data></data></dict>
      <dict><key>d</key><data>YWI=</data></dict></array></plist>
      """
    try compare([try directory.write(list, to: "a.plist")])
  }

  @Test(arguments: [[], ["--date-format", "dd/MM/yyyy"]])
  func `a time behind a date is read as the whole column says`(options: [String]) throws {
    let text = """
      <r><a><t at="01/02/2010 10:00"/><t at="02/02/2010 10:00:30"/></a>
      <b><t at="25/02/2010 10:00"/><t at="26/02/2010 11:00"/></b></r>
      """
    try compare([try directory.write(text, to: "a.xml")], options)
  }

  @Test func `elements of two namespaces come out the same`() throws {
    let text = """
      <r xmlns:x="x" xmlns:y="y"><x:b x:k="1" y:k="a"/><y:b k="2"/><x:b y:k="c" x:k="3"/><x:b><y:b/>
      </x:b></r>
      """
    try compare([try directory.write(text, to: "a.xml")])
  }

  @Test func `several files that share tables come out the same`() throws {
    let first = try directory.write(
      "<r><a><t x=\"1\"/></a><b><t y=\"1\" id=\"4\"/></b></r>", to: "a.xml")
    let second = try directory.write(#"{"t":[{"z":1,"x":"n"},{"id":7,"y":2}]}"#, to: "b.json")
    try compare([first, second])
  }
}
