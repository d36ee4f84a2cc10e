import Foundation
import SeedSQLite
import TestSupport
import Testing

/// Core Data stores from data, by the tool itself.
@Suite struct CoreDataTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func model(_ body: String, _ name: String) throws {
    try directory.makeDirectory("\(name).xcdatamodeld/\(name).xcdatamodel")
    try directory.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
      \(body)
      </model>
      """, to: "\(name).xcdatamodeld/\(name).xcdatamodel/contents")
  }

  private func build(_ arguments: String...) async throws -> ProcessOutcome {
    try await ChildProcess.run(
      Project.tool, ["build"] + arguments, in: URL(fileURLWithPath: directory.path))
  }

  @Test func `three events become the store of an app's first launch`() async throws {
    try directory.write(
      """
      <Events><Event timeStamp="16.01.2010" /><Event timeStamp="01.02.2010" /><Event timeStamp="05.03.2010" /></Events>
      """, to: "Events.xml")
    try model(
      "<entity name=\"Event\"><attribute name=\"timeStamp\" optional=\"YES\" attributeType=\"Date\"/></entity>",
      "CoreDataExample")
    let outcome = try await build(
      "Events.xml", "--schema", "CoreDataExample.xcdatamodeld", "-o", "CoreDataExample.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let store = try Connection(path: directory.path("CoreDataExample.sqlite"), mode: .immutable)
    #expect(
      try store.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP FROM ZEVENT") == [
        [.integer(1), .integer(1), .integer(1), .integer(285_292_800)],
        [.integer(2), .integer(1), .integer(1), .integer(286_675_200)],
        [.integer(3), .integer(1), .integer(1), .integer(289_440_000)],
      ])
    #expect(
      try store.rows("SELECT * FROM Z_PRIMARYKEY")
        == [[.integer(1), .text("Event"), .integer(0), .integer(3)]])
    #expect(
      try directory.names.sorted()
        == ["CoreDataExample.sqlite", "CoreDataExample.xcdatamodeld", "Events.xml"])
  }

  // MARK: Round trips

  private static let library = """
    <entity name="Author"><attribute name="name" attributeType="String"/>
    <relationship name="books" optional="YES" toMany="YES" ordered="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
    <relationship name="friends" optional="YES" toMany="YES" ordered="YES" destinationEntity="Author" inverseName="friendOf" inverseEntity="Author"/>
    <relationship name="friendOf" optional="YES" toMany="YES" destinationEntity="Author" inverseName="friends" inverseEntity="Author"/>
    <relationship name="passport" optional="YES" maxCount="1" destinationEntity="Passport" inverseName="owner" inverseEntity="Passport"/></entity>
    <entity name="Book"><attribute name="title" attributeType="String"/>
    <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
    <attribute name="day" optional="YES" attributeType="Date"/>
    <attribute name="key" optional="YES" attributeType="UUID"/>
    <attribute name="price" optional="YES" attributeType="Decimal"/>
    <attribute name="score" optional="YES" attributeType="Float"/>
    <attribute name="tint" optional="YES" attributeType="Transformable"/>
    <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/></entity>
    <entity name="Novel" parentEntity="Book"><attribute name="genre" optional="YES" attributeType="String"/></entity>
    <entity name="Passport"><attribute name="number" attributeType="Integer 64"/>
    <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Author" inverseName="passport" inverseEntity="Author"/></entity>
    <entity name="Tag"><attribute name="name" attributeType="String"/>
    <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="tags" inverseEntity="Book"/></entity>
    """

  private static let books = """
    <Library>
    <Author name="Ann &amp; &lt;Bob&gt;"><passport number="9223372036854775807"/>
      <books><Book title="b" price="10.11" day="2024-05-10T18:27:26.843063Z" score="0.1" tint="red">
          <tags><Tag name="x"/><Tag name="y"/></tags></Book>
        <Novel title="a" genre="crime" cover="AAEC" key="c4637490-bd7f-4428-b093-63a1720e17d2" day="1999-12-31T23:59:59.5Z"/></books>
      <friends><Author name="C"/><Author name="D"><books><Book title="d"/></books></Author></friends></Author>
    <Tag name="z"><books><Novel title="z&#10;2"/></books></Tag>
    </Library>
    """

  private func writeLibrary() async throws {
    try model(Self.library, "Library")
    try directory.write(Self.books, to: "Library.xml")
    let outcome = try await build(
      "Library.xml", "--schema", "Library.xcdatamodeld", "-o", "Library.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func roundTrip(tool: String, format: String) async throws -> ProcessOutcome {
    try await Project.check(
      "coredata_round_trip.py",
      [
        tool, directory.path("Library.xcdatamodeld/Library.xcdatamodel/contents"),
        directory.path("Library.sqlite"), "--format", format,
      ])
  }

  @Test(arguments: ["xml", "json"])
  func `a store that is written down and built again is the same`(format: String) async throws {
    try await writeLibrary()
    let check = try await roundTrip(tool: Project.tool.path, format: format)
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output == "11 objects, 0 differences\n")
  }

  @Test(arguments: [
    "UPDATE ZBOOK SET ZPRICE = 10.12 WHERE ZPRICE NOT NULL",
    "UPDATE ZBOOK SET ZAUTHOR = 2 WHERE ZAUTHOR = 1",
    "UPDATE ZBOOK SET Z_FOK_AUTHOR = 5120 - Z_FOK_AUTHOR",
    "DELETE FROM Z_2TAGS WHERE Z_5TAGS = 2", "UPDATE Z_PRIMARYKEY SET Z_MAX = 0",
    "UPDATE ZAUTHOR SET ZPASSPORT = NULL",
  ])
  func `the check of round trips notices what is wrong`(sql: String) async throws {
    try await writeLibrary()
    let tool = try directory.write(
      """
      #!/usr/bin/env python3
      import sqlite3, subprocess, sys
      code = subprocess.run(["\(Project.tool.path)"] + sys.argv[1:]).returncode
      with sqlite3.connect("built.sqlite") as database: database.execute("\(sql)")
      sys.exit(code)
      """, to: "wrong-seed")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
    let check = try await roundTrip(tool: tool, format: "xml")
    #expect(check.status == 1, "\(check.output)\(check.errors)")
    #expect(!check.output.contains(" 0 differences"))
  }

  // MARK: Broken models

  @Test func `a broken model is refused at a line, whatever is broken`() async throws {
    try model(Self.library, "Library")
    let contents = directory.path("Library.xcdatamodeld/Library.xcdatamodel/contents")
    let check = try await Project.check("coredata_broken.py", [Project.tool.path, contents])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output.hasSuffix(" broken models, 0 of them not refused as they should be\n"))
  }

  @Test func `the check of broken models notices a tool that takes them`() async throws {
    try model("<entity name=\"A\"><attribute name=\"a\" attributeType=\"Date\"/></entity>", "A")
    let tool = try directory.write(
      "#!/bin/sh\nprintf x > more; echo y; cp contents out.sqlite\n", to: "wrong-seed")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
    let check = try await Project.check(
      "coredata_broken.py", [tool, directory.path("A.xcdatamodeld/A.xcdatamodel/contents")])
    #expect(check.status == 1)
    for fault in ["exit 0", "standard output", "no error at a line", "files [", "output changed"] {
      #expect(check.output.contains(fault), "\(fault)")
    }
  }

  // MARK: Random stores

  @Test func `stores of random models have what was given, and can be built again`() async throws {
    let check = try await Project.check("random_stores.py", [Project.tool.path, "--count", "12"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output == "12 stores, 0 of them wrong\n")
  }

  @Test func `the check of random stores notices what is wrong`() async throws {
    let tool = try directory.write(
      """
      #!/usr/bin/env python3
      import os, sqlite3, subprocess, sys
      code = subprocess.run(["\(Project.tool.path)"] + sys.argv[1:]).returncode
      if sys.argv[1] == "build":
        with sqlite3.connect("built.sqlite") as database:
          for name, in database.execute("SELECT name FROM sqlite_schema WHERE name GLOB 'Z[B-Z]*E'").fetchall():
            database.execute("DELETE FROM %s WHERE Z_PK = 1" % name)
      sys.exit(code)
      """, to: "wrong-seed")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
    let check = try await Project.check("random_stores.py", [tool, "--count", "2"])
    #expect(check.status == 1, "\(check.output)\(check.errors)")
    #expect(check.output.hasSuffix("2 stores, 2 of them wrong\n"))
  }
}
