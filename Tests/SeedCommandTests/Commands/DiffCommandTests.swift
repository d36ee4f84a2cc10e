import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

@Suite struct DiffCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func database(_ name: String, _ sql: String) throws -> String {
    let connection = try Connection(path: directory.path(name), mode: .create)
    try connection.execute(
      "CREATE TABLE Event(id INTEGER PRIMARY KEY, place TEXT, data BLOB);"
        + "INSERT INTO Event VALUES (1, 'Hof', NULL), (2, 'Ulm', x'00'), (3, 'Bonn', NULL);" + sql)
    try connection.close()
    return directory.path(name)
  }

  @Test func `the difference is the result and the exit code is 1`() throws {
    let old = try database("old.sqlite", "CREATE INDEX Event_place ON Event(place)")
    let new = try database(
      "new.sqlite",
      """
      PRAGMA user_version = 2;
      UPDATE Event SET place = 'Köln', data = x'01' WHERE id = 2;
      DELETE FROM Event WHERE id = 3; INSERT INTO Event VALUES (4, 'it''s', 1.0);
      ALTER TABLE Event ADD COLUMN note TEXT NOT NULL DEFAULT '';
      CREATE VIEW recent AS SELECT * FROM Event;
      CREATE TABLE Venue(name TEXT); INSERT INTO Venue VALUES ('Arena');
      """)
    let capture = CapturedConsole()
    #expect(capture.run("diff", old, new) == .finding)
    #expect(
      capture.output == """
        ~ user_version 0 -> 2
        ~ table Event
            + column note TEXT NOT NULL DEFAULT ''
        + table Venue
        - index Event_place on Event
        + view recent
        rows of Event: 1 added, 1 removed, 1 changed
            + id 4: place 'it''s', data 1.0
            - id 3: place 'Bonn', data NULL
            ~ id 2: place 'Ulm' -> 'Köln', data x'00' -> x'01'
        rows of Venue: 1 added
            + name 'Arena'

        """)
    #expect(capture.error.isEmpty)
  }

  @Test func `databases of the same content give nothing, but a line on a terminal`() throws {
    let old = try database("old.sqlite", "")
    let new = try database("new.sqlite", "PRAGMA page_size = 512; VACUUM")
    let capture = CapturedConsole()
    #expect(capture.run("diff", old, new) == .success)
    #expect(capture.output.isEmpty)
    #expect(capture.error.isEmpty)
    let terminal = CapturedConsole(isTerminal: true)
    #expect(terminal.run("diff", old, new) == .success)
    #expect(terminal.output == "no difference\n")
    #expect(try directory.names == ["new.sqlite", "old.sqlite"])
  }

  @Test func `JSON has the documented members`() throws {
    let old = try database("old.sqlite", "")
    let new = try database(
      "new.sqlite",
      "UPDATE Event SET place = NULL, data = x'00ff' WHERE id = 1;"
        + "INSERT INTO Event VALUES (4, 'a', 0.5); DELETE FROM Event WHERE id = 2")
    let capture = CapturedConsole()
    #expect(capture.run("diff", old, new, "--json") == .finding)
    #expect(
      capture.output == """
        {
          "old": "\(old)",
          "new": "\(new)",
          "equal": false,
          "settings": [],
          "schema": [],
          "tables": [
            {
              "name": "Event",
              "key": [
                "id"
              ],
              "rows_added": 1,
              "rows_removed": 1,
              "rows_changed": 1,
              "added": [
                {
                  "key": {
                    "id": 4
                  },
                  "values": {
                    "place": "a",
                    "data": 0.5
                  }
                }
              ],
              "removed": [
                {
                  "key": {
                    "id": 2
                  },
                  "values": {
                    "place": "Ulm",
                    "data": {
                      "blob": "00",
                      "offset": 0,
                      "bytes": 1
                    }
                  }
                }
              ],
              "changed": [
                {
                  "key": {
                    "id": 1
                  },
                  "changes": [
                    {
                      "column": "place",
                      "old": "Hof",
                      "new": null
                    },
                    {
                      "column": "data",
                      "old": null,
                      "new": {
                        "blob": "00ff",
                        "offset": 0,
                        "bytes": 2
                      }
                    }
                  ]
                }
              ]
            }
          ],
          "notes": []
        }

        """)
    let equal = CapturedConsole()
    #expect(equal.run("diff", old, old, "--json") == .success)
    #expect(equal.output.contains("\"equal\": true"))
  }

  @Test func `what cannot be compared is said on the standard error`() throws {
    let sql = "CREATE TABLE c(b); CREATE VIRTUAL TABLE f USING fts5(b, content='c'); DROP TABLE c"
    let old = try database("old.sqlite", sql)
    let new = try database("new.sqlite", sql)
    let capture = CapturedConsole()
    #expect(capture.run("diff", old, new) == .success)
    #expect(capture.output.isEmpty)
    #expect(capture.error.hasPrefix("seed: note: the rows of the virtual table \"f\""))
  }

  @Test func `long lists and hostile texts stay readable`() throws {
    let values = (0..<12).map { "c\($0)" }.joined(separator: ", ")
    let table = "CREATE TABLE w(\(values));"
    let old = try database("old.sqlite", table)
    let row = "(1" + String(repeating: ", 'x\u{1B}[2J'", count: 11) + ")"
    let new = try database(
      "new.sqlite",
      table + "INSERT INTO w VALUES "
        + Array(repeating: row, count: 9)
        .joined(separator: ", "))
    let capture = CapturedConsole()
    #expect(capture.run("diff", old, new) == .finding)
    #expect(!capture.output.contains("\u{1B}"))
    #expect(capture.output.contains("c1 'x\\u{1b}[2J'"))
    #expect(capture.output.contains(", … 4 more columns\n"))
    #expect(capture.output.hasSuffix("    … 4 more added\n"))
    #expect(capture.output.split(separator: "\n").count == 7)
  }

  @Test func `errors are those of inspect`() throws {
    let path = try database("a.sqlite", "")
    let missing = CapturedConsole()
    #expect(missing.run("diff", path, directory.path("none")) == .missingInput)
    #expect(missing.error.hasPrefix("\(directory.path("none")): error: no such file\n"))
    let other = CapturedConsole()
    #expect(other.run("diff", try directory.write("<a/>", to: "a.xml"), path) == .badInput)
    #expect(other.output.isEmpty)
    let single = CapturedConsole()
    #expect(single.run("diff", path) == .usage)
    #expect(
      single.error
        == "seed: error: no new database given\nhint: give the old database and the new one\n")
  }
}
