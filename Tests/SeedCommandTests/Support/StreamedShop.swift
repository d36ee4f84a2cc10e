import Foundation
import SeedModel
import SeedPublisher
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

@testable import SeedCommand

/// A shop's catalogue that is built, published and shipped, one version after the other, by the
/// commands that a publisher runs.
final class StreamedShop {
  /// The tables of the stream and their columns.
  static let columns = [
    "maker": ["id", "name", "story"], "item": ["id", "maker", "code", "price", "picture"],
  ]

  /// The rows up to these keys are never deleted.
  static let stayingItems: Int64 = 60
  static let stayingMakers: Int64 = 20

  private static let schema = """
    CREATE TABLE maker(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, story TEXT);
    CREATE TABLE item(id INTEGER PRIMARY KEY, maker INTEGER NOT NULL REFERENCES maker(id),
      code TEXT UNIQUE, price REAL, picture BLOB);
    CREATE INDEX item_maker ON item(maker);
    """

  let directory: TemporaryDirectory
  /// The columns that this version of the catalogue has.
  private(set) var columns = StreamedShop.columns
  private var schema = StreamedShop.schema
  /// How the publisher merges changes, where that is not the command's way.
  var layout: (fanOut: Int64, segmentLimit: Int) = (8, 64)
  private let storyLength: Int
  private var random: ShopNumbers
  private var nextItem: Int64 = 301
  private var nextMaker: Int64 = 121

  /// The database that the publisher works on, which stands where the head does.
  var database: String { directory.path("work.sqlite") }
  /// Where it publishes.
  var target: String { directory.path("public") }
  /// What the web server serves.
  var served: String { directory.path("www") }

  /// A catalogue that nothing was made of yet.
  ///
  /// - Parameters:
  ///   - storyLength: How long the text is that hardly ever changes, and a snapshot with it.
  ///   - seed: What the changes follow from.
  /// - Throws: An error when there is no room.
  init(storyLength: Int, seed: UInt64) throws {
    directory = try TemporaryDirectory()
    self.storyLength = storyLength
    random = ShopNumbers(state: seed)
    try directory.makeDirectory("www")
  }

  // MARK: Commands

  /// Runs the tool in this process, which has to succeed.
  @discardableResult
  func seed(_ arguments: [String]) throws -> String {
    let capture = CapturedConsole()
    let code = CommandLineTool.run(arguments, on: capture.console)
    try #require(code == .success, "\(arguments): \(capture.error)")
    return capture.output
  }

  /// Writes the first version as a document.
  func writeDocument() throws {
    var makers: [[String: Any]] = []
    var items: [[String: Any]] = []
    for id in 1..<nextMaker {
      makers.append(["id": id, "name": "Maker \(id)", "story": story()])
    }
    for id in 1..<nextItem {
      items.append([
        "id": id, "maker": 1 + id % (nextMaker - 1), "code": "code-\(id)",
        "price": Double(random.below(1000)) + 0.25,
        "picture": id % 3 == 0 ? NSNull() : picture() as Any,
      ])
    }
    try write(["maker": makers, "item": items])
  }

  private func write(_ document: [String: Any]) throws {
    let data = try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys])
    try directory.write([UInt8](data), to: "shop.json")
    try directory.write(schema, to: "shop.sql")
  }

  /// The arguments of the build of the document that was written last.
  func buildArguments(_ name: String) -> [String] {
    [
      "build", directory.path("shop.json"), "--schema", directory.path("shop.sql"),
      "-o", directory.path(name), "--force",
    ]
  }

  /// Builds anew from the rows that the working database has now.
  ///
  /// - Parameter name: The name of the new database.
  /// - Throws: An error when the build fails.
  func buildAnew(_ name: String) throws {
    let connection = try Connection(path: database, mode: .readOnly)
    var document: [String: Any] = [:]
    for (table, columns) in columns {
      document[table] = try connection.rows(
        "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY 1"
      ).map { row in
        Dictionary(uniqueKeysWithValues: zip(columns, row.map(Self.json)))
      }
    }
    try write(document)
    try seed(buildArguments(name))
  }

  private static func json(_ value: SQLiteValue) -> Any {
    switch value {
    case .null: NSNull()
    case .integer(let number): number
    case .real(let number): number
    case .text(let text): text
    case .blob(let bytes): Data(bytes).base64EncodedString()
    }
  }

  /// Publishes the working database, and keeps it as what ships with an app.
  ///
  /// - Parameter options: Further options of the command.
  /// - Returns: Where the stream is now.
  /// - Throws: An error when there is nothing new.
  @discardableResult
  func publish(_ options: String...) throws -> StreamPosition {
    let position: StreamPosition
    if layout == (8, 64) || !options.isEmpty {
      let output = try seed(["publish", database, "--to", target, "--json"] + options)
      let result = try JSONValue(parsing: Array(output.utf8))
      try #require(result["status"] == "published")
      position = try head().position
      #expect(result["seq"] == .integer(position.seq))
    } else {
      var settings = PublishOptions()
      settings.fanOut = layout.fanOut
      settings.segmentLimit = layout.segmentLimit
      let result = try StreamPublisher(settings).publish(database, to: target)
      try #require(result.isNew)
      position = result.position
    }
    try FileManager.default.copyItem(atPath: database, toPath: bundle(position))
    return position
  }

  /// The database that was published as a checkpoint.
  func bundle(_ position: StreamPosition) -> String {
    directory.path("bundle-\(position.epoch)-\(position.seq)-\(position.id).sqlite")
  }

  /// The head that was published last.
  func head() throws -> StreamHead {
    try StreamHead(parsing: directory.bytes(of: "public/main/v1/head.json"))
  }

  /// Copies what was published to where it is served: the objects first, the head last.
  ///
  /// - Parameter isMuchLater: Whether some time has passed since the last one.
  /// - Throws: An error when a file cannot be copied.
  func ship(isMuchLater: Bool = false) throws {
    let manager = FileManager.default
    let (from, to) = (target + "/main/v1", served + "/main/v1")
    for name in try manager.subpathsOfDirectory(atPath: from + "/o").sorted() {
      let (source, copy) = ("\(from)/o/\(name)", "\(to)/o/\(name)")
      guard name.contains("/"), !manager.fileExists(atPath: copy) else { continue }
      try manager.createDirectory(
        atPath: (copy as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try manager.copyItem(atPath: source, toPath: copy)
    }
    let head = try directory.write(
      directory.bytes(of: "public/main/v1/head.json"), to: "www/main/v1/head.new")
    if isMuchLater {
      try manager.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: head)
    }
    try #require(rename(head, to + "/head.json") == 0)
  }

  /// Keeps the publisher's files as they are now, or puts them back as a backup does.
  func copyPublisher(from: String, to: String) throws {
    let manager = FileManager.default
    for name in ["public", "work.sqlite"] {
      let (source, copy) = (directory.path(from + name), directory.path(to + name))
      if manager.fileExists(atPath: copy) { try manager.removeItem(atPath: copy) }
      try manager.copyItem(atPath: source, toPath: copy)
    }
  }

  // MARK: Changes

  /// Changes some rows: some are born, some are gone, unique values move in rings.
  ///
  /// - Parameter number: The version, of which a price tells.
  /// - Throws: An error when the working database cannot be written.
  func change(_ number: Int) throws {
    let connection = try Connection(path: database, mode: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; BEGIN")
    try connection.execute(
      "PRAGMA defer_foreign_keys = ON; UPDATE item SET price = \(number).5 WHERE id = 1")
    for _ in 0...random.below(3) {
      try connection.run(
        "UPDATE item SET price = ?, picture = ? WHERE id = ?",
        .real(Double(random.below(100_000)) + 0.75),
        random.below(3) == 0 ? .null : .blob(bytes(1 + random.below(20))),
        .integer(try someKey(of: "item", connection)))
    }
    try moveCodes(connection)
    for _ in 0..<random.below(3) { try insertItem(connection) }
    try connection.execute(
      """
      DELETE FROM item WHERE id = (SELECT id FROM item WHERE id > \(Self.stayingItems)
        ORDER BY id LIMIT 1 OFFSET \(random.below(150)))
      """)
    if number.isMultiple(of: 5) {
      try connection.run(
        "INSERT INTO maker VALUES(?, ?, ?)", .integer(nextMaker), .text("Maker \(nextMaker)"),
        .text(story()))
      nextMaker += 1
      try insertItem(connection)
    }
    if number.isMultiple(of: 9) { try deleteMaker(connection) }
    if number.isMultiple(of: 11) { try swapNames(connection) }
    try connection.execute("COMMIT")
    try #require(try connection.rows("PRAGMA foreign_key_check").isEmpty)
    try connection.close()
  }

  private func someKey(of table: String, _ connection: Connection) throws -> Int64 {
    let count = Int(try connection.scalarInteger("SELECT count(*) FROM \(table)") ?? 1)
    return try connection.scalarInteger(
      "SELECT id FROM \(table) ORDER BY id LIMIT 1 OFFSET \(random.below(count))") ?? 1
  }

  private func insertItem(_ connection: Connection) throws {
    try connection.run(
      "INSERT INTO item(id, maker, code, price, picture) VALUES(?, ?, ?, ?, ?)",
      .integer(nextItem),
      .integer(try someKey(of: "maker", connection)), .text("code-\(nextItem)"),
      .real(Double(nextItem) + 0.25), .blob(bytes(1 + random.below(12))))
    nextItem += 1
  }

  /// Hands the codes of some items on in a ring.
  private func moveCodes(_ connection: Connection) throws {
    var keys = Set<Int64>()
    for _ in 0..<2 + random.below(3) { keys.insert(try someKey(of: "item", connection)) }
    let ring = keys.sorted()
    let codes = try ring.map {
      try connection.scalarText("SELECT code FROM item WHERE id = ?", .integer($0)) ?? ""
    }
    for key in ring {
      try connection.run(
        "UPDATE item SET code = '~' || code WHERE id = ?", .integer(key))
    }
    for (index, key) in ring.enumerated() {
      try connection.run(
        "UPDATE item SET code = ? WHERE id = ?", .text(codes[(index + 1) % codes.count]),
        .integer(key))
    }
  }

  /// Deletes a maker with all its items, or hands those that stay to another one.
  private func deleteMaker(_ connection: Connection) throws {
    let maker = Self.stayingMakers + 1 + Int64(random.below(90))
    try connection.execute(
      """
      UPDATE item SET maker = 1 WHERE maker = \(maker) AND id <= \(Self.stayingItems);
      DELETE FROM item WHERE maker = \(maker);
      DELETE FROM maker WHERE id = \(maker);
      """)
  }

  private func swapNames(_ connection: Connection) throws {
    let (one, other) = (1 + random.below(9), 10 + random.below(9))
    try connection.execute(
      """
      CREATE TEMP TABLE names AS SELECT id, name FROM maker WHERE id IN (\(one), \(other));
      UPDATE maker SET name = '~' || name WHERE id IN (\(one), \(other));
      UPDATE maker SET name = (SELECT n.name FROM names n WHERE n.id <> maker.id)
        WHERE id IN (\(one), \(other));
      DROP TABLE names;
      """)
  }

  /// Adds a column to the catalogue, as its next version is built anew.
  func addColumn() throws {
    let connection = try Connection(path: database, mode: .readWrite)
    try connection.execute("ALTER TABLE item ADD COLUMN stock INTEGER")
    try connection.execute("UPDATE item SET stock = id * 7 WHERE id % 4 <> 0")
    try connection.close()
    columns["item"]?.append("stock")
    schema = schema.replacing("picture BLOB)", with: "picture BLOB, stock INTEGER)")
    try buildAnew("anew.sqlite")
    try #require(rename(directory.path("anew.sqlite"), database) == 0)
  }

  private func story() -> String {
    String(decoding: (0..<storyLength).map { _ in UInt8(97 + random.below(26)) }, as: UTF8.self)
  }

  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(random.below(256)) } }

  private func picture() -> String { Data(bytes(1 + random.below(20))).base64EncodedString() }

  // MARK: Comparison

  /// The rows that one of two databases lacks, of all tables of the catalogue; values are the same
  /// when storage class and content are.
  func differences(_ path: String, _ other: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    try connection.run("ATTACH ? AS other", .text(other))
    var found: [String] = []
    for (table, columns) in columns {
      let list = columns.map { "quote(\($0))" }.joined(separator: ", ")
      for (one, two) in [("main", "other"), ("other", "main")] {
        found += try connection.rows(
          "SELECT \(list) FROM \(one).\(table) EXCEPT SELECT \(list) FROM \(two).\(table)"
        ).map { "\(table) of \(one): \($0)" }
      }
      found += try connection.rows(
        """
        SELECT (SELECT count(*) FROM main.\(table)), (SELECT count(*) FROM other.\(table))
        """
      ).filter { $0[0] != $0[1] }.map { "\(table): \($0)" }
    }
    return found
  }
}

/// A generator whose numbers follow from its seed.
private struct ShopNumbers {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
