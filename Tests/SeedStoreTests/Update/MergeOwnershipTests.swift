import SeedFiles
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// What a merge makes of an update of the app whose seed owns other tables, or tells rows apart by
/// another key, than the one whose keys were noted at the installation.
@Suite struct MergeOwnershipTests {
  private static let category = "CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT UNIQUE);"
  private static let product = """
    CREATE TABLE product(code TEXT PRIMARY KEY, name TEXT NOT NULL,
      category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0);
    """
  private static let other = """
    INSERT INTO category VALUES (1,'tools'),(2,'toys'),(3,'food');
    INSERT INTO product VALUES ('a','Axe',1,0),('d','Dictionary',2,0);
    """

  @Test func `a table that the seed owns no longer is the app's, with all its rows`() throws {
    let seed = try MergeSeed(owned: [("category", []), ("product", [])])
    try seed.write(MergeSeed.shop + Self.other, owned: [("category", [])], version: "2")
    try seed.merge()
    #expect(
      try seed.rows("SELECT code, name FROM product ORDER BY code") == [
        "a Anvil", "b Ball", "c Cake",
      ])
    #expect(
      try seed.rows("SELECT name FROM _seed_base WHERE name <> '' ORDER BY part") == [
        "category", "category", "product",
      ])
    #expect(try seed.rows("SELECT DISTINCT name FROM _seed_rows") == ["category"])
    // Owned once more, it is as a table whose rows nobody has noted: none of them is deleted.
    try seed.write(
      MergeSeed.shop + Self.other, owned: [("category", []), ("product", [])], version: "3")
    try seed.merge()
    #expect(
      try seed.rows("SELECT code, name FROM product ORDER BY code") == [
        "a Axe", "b Ball", "c Cake", "d Dictionary",
      ])
  }

  @Test func `of a table that the seed owns from now on rows are deleted from the next merge on`()
    throws
  {
    let seed = try MergeSeed(owned: [("category", [])])
    try seed.bench.write("INSERT INTO product VALUES ('x', 'Mine', NULL, 1)")
    try seed.write(
      MergeSeed.shop + Self.other, owned: [("category", []), ("product", [])], version: "2")
    try seed.merge()
    #expect(
      try seed.rows("SELECT code, name FROM product ORDER BY code") == [
        "a Axe", "b Ball", "c Cake", "d Dictionary", "x Mine",
      ])
    try seed.write(
      MergeSeed.shop + "INSERT INTO category VALUES (1,'tools'),(2,'toys'),(3,'food');",
      owned: [("category", []), ("product", [])], version: "3")
    try seed.merge()
    // The rows that the second seed has brought go, and no others.
    #expect(
      try seed.rows("SELECT code, name FROM product ORDER BY code") == [
        "b Ball", "c Cake", "x Mine",
      ])
  }

  @Test(arguments: [
    // Wider, narrower, another column; a key that the installed table does not keep apart.
    (
      "code TEXT, name TEXT NOT NULL, category INTEGER NOT NULL, PRIMARY KEY(code, category)",
      "table \"product\": its key was (code), in the seed it is (code, category)"
    ),
    (
      "code TEXT, name TEXT NOT NULL PRIMARY KEY, category INTEGER",
      "table \"product\": its key was (code), in the seed it is (name)"
    ),
  ])
  func `another key is refused, and nothing is changed`(columns: String, line: String) throws {
    let seed = try MergeSeed(owned: [("category", []), ("product", [])])
    let before = try seed.bench.digest()
    try seed.write(
      Self.category + "CREATE TABLE product(favourite INTEGER DEFAULT 0, \(columns));",
      owned: [("category", []), ("product", [])], version: "2")
    #expect(try seed.refusal() == [line])
    #expect(try seed.bench.digest() == before)
    // What is left is to replace the content, of which a copy is kept.
    let update = try seed.bench.install(InstallOptions(policy: .replace)).outcome
    guard case .replaced = update else {
      Issue.record("\(update)")
      return
    }
  }

  @Test func `the same key in another order of the table's columns is the same`() throws {
    let seed = try MergeSeed(owned: [("category", []), ("product", [])])
    try seed.write(
      Self.category + """
        CREATE TABLE product(favourite INTEGER DEFAULT 0, category INTEGER REFERENCES category(id),
          name TEXT NOT NULL, code TEXT PRIMARY KEY);
        INSERT INTO category VALUES (1,'tools'),(2,'toys'),(3,'food');
        INSERT INTO product(code, name) VALUES ('a', 'Axe');
        """, owned: [("category", []), ("product", ["name"])], version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT code, name FROM product ORDER BY code") == ["a Axe"])
  }

  @Test(arguments: [0, 5])
  func `an application_id that the app sets makes no other seed of it`(number: Int) throws {
    let id = "PRAGMA application_id = \(number);"
    let seed = try MergeSeed(id + MergeSeed.shop + MergeSeed.shopRows)
    try seed.bench.write("PRAGMA application_id = 77")
    for version in ["2", "3"] {
      try seed.write(id + MergeSeed.shop + MergeSeed.newRows, version: version)
      try seed.merge()
      #expect(try seed.rows("PRAGMA application_id") == ["77"])
    }
    try seed.write(
      "PRAGMA application_id = 6;" + MergeSeed.shop + MergeSeed.newRows, version: "4")
    let result = try seed.bench.install(InstallOptions(policy: .merge))
    guard case .otherSeed? = result.keptReason else {
      Issue.record("\(result)")
      return
    }
  }

  @Test func `a column that is owned and is not there is refused`() throws {
    let seed = try MergeSeed()
    try seed.write(
      MergeSeed.shop + MergeSeed.newRows, owned: [("category", ["titel"]), ("product", [])],
      version: "2")
    #expect(
      try seed.refusal() == [
        "column \"titel\" of table \"category\", which the seed owns, is not in it"
      ])
  }
}
