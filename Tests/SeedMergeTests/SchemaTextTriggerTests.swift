import SeedMerge
import Testing

/// What is read of a CREATE TRIGGER.
@Suite struct SchemaTextTriggerTests {
  @Test(arguments: [
    ("CREATE TRIGGER t AFTER INSERT ON item BEGIN SELECT 1; END", "insert", false),
    (
      "create temp trigger if not exists main.\"t\" before delete on item begin select 1; end",
      "delete", false
    ),
    ("CREATE TRIGGER t UPDATE ON item FOR EACH ROW BEGIN SELECT 1; END", "update", false),
    ("CREATE TRIGGER t UPDATE OF name ON item BEGIN SELECT 1; END", "update", true),
    ("CREATE TRIGGER t INSERT ON item WHEN new.id BEGIN SELECT 1; END", "insert", true),
    ("CREATE TRIGGER \"insert\" INSTEAD OF UPDATE ON \"of\" BEGIN SELECT 1; END", "update", false),
  ])
  func `the event of a trigger is known, and whether each row fires it`(
    sql: String, event: String, isConditional: Bool
  ) {
    let head = SchemaText.triggerHead(in: sql)
    #expect(head?.event == event && head?.isConditional == isConditional)
  }

  @Test func `another statement has no event`() {
    #expect(SchemaText.triggerHead(in: "CREATE TABLE t(a)") == nil)
  }

  @Test(arguments: [
    ("INSERT INTO search(rowid) VALUES (1)", true), ("REPLACE INTO main.Search VALUES (1)", true),
    ("DELETE FROM \"search\"", true), ("UPDATE OR IGNORE search SET a = 1", true),
    ("UPDATE search SET a = 1", true), ("SELECT * FROM search", false),
    ("INSERT INTO log VALUES ('search')", false), ("UPDATE log SET search = 1", false),
    ("DELETE FROM log WHERE id IN (SELECT rowid FROM search)", false),
  ])
  func `a table is written to where a statement names it as its target`(
    statement: String, writes: Bool
  ) {
    let sql = "CREATE TRIGGER search AFTER INSERT ON item BEGIN \(statement); END"
    #expect(SchemaText.writes(to: "search", in: sql) == writes)
  }
}
