import SeedBuilder
import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport

@testable import SeedCoreData

/// A store that has one of everything that can be damaged, with a few objects, all of it sound.
struct CinemaStore {
  /// A day in May 2024, in seconds since 2001.
  static let day = 736_300_800
  /// A time shortly after it, in seconds since 1970.
  static let now: Int64 = 1_720_000_000

  static let body = """
    <entity name="Item" isAbstract="YES">
    <attribute name="title" attributeType="String"/>
    <attribute name="added" optional="YES" attributeType="Date"/>
    <relationship name="shelf" optional="YES" maxCount="1" destinationEntity="Shelf" \
    inverseName="items" inverseEntity="Shelf"/>
    <relationship name="reviews" optional="YES" toMany="YES" destinationEntity="Review" \
    inverseName="item" inverseEntity="Review"/>
    </entity>
    <entity name="Book" parentEntity="Item">
    <attribute name="isbn" optional="YES" attributeType="String"/>
    <relationship name="authors" optional="YES" toMany="YES" destinationEntity="Person" \
    inverseName="books" inverseEntity="Person"/>
    <uniquenessConstraints><uniquenessConstraint><constraint value="isbn"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Film" parentEntity="Item">
    <attribute name="minutes" attributeType="Integer 16"/>
    <relationship name="showings" optional="YES" toMany="YES" destinationEntity="Showing" \
    inverseName="film" inverseEntity="Showing"/>
    </entity>
    <entity name="Person">
    <attribute name="name" attributeType="String"/>
    <attribute name="born" optional="YES" attributeType="Date"/>
    <relationship name="books" optional="YES" toMany="YES" ordered="YES" destinationEntity="Book" \
    inverseName="authors" inverseEntity="Book"/>
    </entity>
    <entity name="Review">
    <attribute name="stars" optional="YES" attributeType="Double"/>
    <relationship name="item" optional="YES" maxCount="1" destinationEntity="Item" \
    inverseName="reviews" inverseEntity="Item"/>
    </entity>
    <entity name="Shelf">
    <attribute name="place" attributeType="String"/>
    <relationship name="items" optional="YES" toMany="YES" ordered="YES" destinationEntity="Item" \
    inverseName="shelf" inverseEntity="Item"/>
    </entity>
    <entity name="Showing">
    <attribute name="starts" attributeType="Date"/>
    <relationship name="film" maxCount="1" destinationEntity="Film" inverseName="showings" \
    inverseEntity="Film"/>
    </entity>
    """

  /// Entities: 1 Item, 2 Book, 3 Film, 4 Person, 5 Review, 6 Shelf, 7 Showing.
  private static let rows = """
    INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZPLACE) VALUES (1, 6, 1, 'hall');
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZISBN, ZMINUTES, ZADDED, ZSHELF, Z_FOK_SHELF)
      VALUES (1, 2, 1, 'Emma', '978-0', NULL, \(day), 1, 2048),
        (2, 3, 1, 'Metropolis', NULL, 153, \(day + 90000), 1, 3072),
        (3, 2, 1, 'Persuasion', '978-1', NULL, NULL, NULL, NULL);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBORN) VALUES (1, 4, 1, 'Jane', -7102512000.5),
      (2, 4, 1, 'Ann', NULL);
    INSERT INTO Z_2AUTHORS (Z_2BOOKS, Z_4AUTHORS, Z_FOK_2BOOKS) VALUES (1, 1, 2048), (3, 1, 3072),
      (3, 2, 2048);
    INSERT INTO ZREVIEW (Z_PK, Z_ENT, Z_OPT, ZSTARS, ZITEM, Z1_ITEM) VALUES (1, 5, 1, 4.5, 1, 2),
      (2, 5, 1, 3, 2, 3), (3, 5, 1, NULL, NULL, NULL);
    INSERT INTO ZSHOWING (Z_PK, Z_ENT, Z_OPT, ZSTARTS, ZFILM) VALUES (1, 7, 1, \(day), 2);
    """

  let directory: TemporaryDirectory
  let path: String
  let model: StoreModel

  /// Makes the store; its rows may be changed before it is stamped.
  init(_ damage: String = "", pragmas: String = "") throws {
    directory = try TemporaryDirectory()
    path = directory.path("Cinema.sqlite")
    let contents = try directory.write(ModelText.contents(Self.body), to: "contents")
    model = try StoreModel(StoreOptions(model: contents))
    let connection = try Connection(path: path, mode: .create)
    // The first page is written when either is set, and then its size stays.
    if !pragmas.contains("auto_vacuum") {
      try connection.execute("\(pragmas); PRAGMA auto_vacuum = INCREMENTAL")
    } else {
      try connection.execute(pragmas)
    }
    let file = StoreFile(model.layout)
    try file.createTables(connection)
    try connection.execute(Self.rows)
    try file.finish(
      connection,
      StoreFile.Identity(
        hashes: try model.hashes(confirmedBy: nil), modelIdentifier: "1", name: "cinema"))
    try connection.execute(damage)
    try connection.close()
  }

  /// Changes what the metadata say.
  func changeMetadata(_ change: (inout StoreMetadata) throws -> Void) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    guard var metadata = try StoreMetadata.read(from: connection) else { return }
    try change(&metadata)
    try metadata.write(to: connection)
    try connection.close()
  }

  /// What is wrong, without what the stamp tells of any change.
  func findings(model: Bool = true) throws -> [Finding] {
    try findings(of: model ? self.model : nil)
  }

  /// What is wrong, seen with another model.
  func findings(of model: StoreModel?) throws -> [Finding] {
    try Verification.findings(
      inDatabaseAt: path, with: StoreVerification(model: model, now: Self.now)
    ).filter { $0.code != .contentChanged }
  }

  /// What a store says that is sound but for some statements, first seen to be sound without them.
  static func findings(after damage: String, model: Bool = true) throws -> [Finding] {
    guard try CinemaStore().findings(model: model).isEmpty else { return [] }
    return try CinemaStore(damage).findings(model: model)
  }
}
