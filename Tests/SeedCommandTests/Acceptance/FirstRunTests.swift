import SeedSQLite
import SeedStore
import TestSupport
import Testing

@testable import SeedCommand

/// An app's Core Data store over its launches: built from data, installed, written to, updated.
@Suite struct FirstRunTests {
  private let directory: TemporaryDirectory
  private let destination: String

  init() throws {
    directory = try TemporaryDirectory()
    destination = directory.path("Documents/CoreDataExample.sqlite")
    try directory.makeDirectory("CoreDataExample.xcdatamodeld/CoreDataExample.xcdatamodel")
    try directory.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Event">
      <attribute name="timeStamp" optional="YES" attributeType="Date"/>
      </entity>
      </model>
      """, to: "CoreDataExample.xcdatamodeld/CoreDataExample.xcdatamodel/contents")
  }

  /// Builds the store that ships with a version of the app.
  private func ship(_ days: String...) throws -> Seed {
    let events = days.map { "<Event timeStamp=\"\($0)\"/>" }.joined()
    try directory.write("<Events>\(events)</Events>", to: "Events.xml")
    let capture = CapturedConsole()
    let code = capture.run(
      "build", directory.path("Events.xml"), "--schema",
      directory.path("CoreDataExample.xcdatamodeld"), "-o", directory.path("Default.sqlite"),
      "--force")
    try #require(code == .success, "\(capture.error)")
    return Seed(path: directory.path("Default.sqlite"))
  }

  /// Inserts an event as Core Data does: the highest key is counted up in the same transaction.
  private func insertEvent(_ connection: Connection) throws {
    try connection.execute(
      """
      BEGIN IMMEDIATE;
      UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'Event';
      INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP)
      SELECT Z_MAX, Z_ENT, 1, 700000000 FROM Z_PRIMARYKEY WHERE Z_NAME = 'Event';
      COMMIT
      """)
  }

  private func events() throws -> [[SQLiteValue]] {
    try Connection(path: destination, mode: .readWrite)
      .rows("SELECT Z_PK, ZTIMESTAMP FROM ZEVENT ORDER BY Z_PK")
  }

  @Test(arguments: [JournalMode.asBuilt, .wal], [UpdatePolicy.keep, .replaceIfPristine])
  func `the first launch copies, the second keeps, an inserted row survives the update`(
    mode: JournalMode, policy: UpdatePolicy
  ) throws {
    var options = InstallOptions(policy: policy)
    options.journalMode = mode
    let first = try ship("16.01.2010", "01.02.2010", "05.03.2010")
    let installed = try SeedDatabase.install(first, at: destination, options: options)
    guard case .installed = installed.outcome else {
      Issue.record("\(installed.outcome)")
      return
    }
    #expect(installed.path == destination)
    #expect(try events().count == 3)

    // The app has the store open, as a coordinator does, and writes to it.
    let app = try Connection(path: installed.path, mode: .readWrite)
    try insertEvent(app)
    let second = try SeedDatabase.install(first, at: destination, options: options)
    #expect(second.outcome == .alreadyCurrent)
    let written = try events()
    #expect(written.count == 4)
    #expect(written.last == [.integer(4), .integer(700_000_000)])

    // The next version of the app brings another store, and finds this one in use.
    let newer = try ship("16.01.2010", "01.02.2010", "05.03.2010", "09.04.2010", "10.05.2010")
    let updated = try SeedDatabase.install(newer, at: destination, options: options)
    guard case .kept(let identity) = updated.outcome else {
      Issue.record("\(updated.outcome)")
      return
    }
    #expect(identity.name == "CoreDataExample")
    #expect(try events() == written)
    try insertEvent(app)
    try app.close()
    #expect(try events().count == 5)
    #expect(
      try Connection(path: destination, mode: .readWrite)
        .rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Event'") == [[.integer(5)]])
  }

  @Test func `replacing is what it says, and can be undone`() throws {
    let first = try ship("16.01.2010")
    _ = try SeedDatabase.install(first, at: destination)
    let app = try Connection(path: destination, mode: .readWrite)
    try insertEvent(app)
    let newer = try ship("16.01.2010", "01.02.2010", "05.03.2010")
    let result = try SeedDatabase.install(
      newer, at: destination, options: InstallOptions(policy: .replace))
    guard case .replaced = result.outcome else {
      Issue.record("\(result.outcome)")
      return
    }
    #expect(try events().count == 3)
    try SeedDatabase.rollback(at: destination)
    #expect(try events().last == [.integer(2), .integer(700_000_000)])
  }
}
