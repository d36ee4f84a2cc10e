import SeedBuilder
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCoreData

/// Dates that were stored with another epoch, and dates that are meant.
@Suite struct DateRuleTests {
  private static let epoch = DateRule.epoch

  @Test func `a column in seconds since 1970 is found`() throws {
    let sql = "UPDATE ZITEM SET ZADDED = ZADDED + \(Self.epoch)"
    for model in [true, false] {
      let findings = try CinemaStore.findings(after: sql, model: model)
      #expect(findings.map(\.code) == [.storeDate])
      #expect(findings.first?.table == "ZITEM")
      #expect(
        findings.first?.message
          == "every date \"\(model ? "added" : "ADDED")\" of \"ZITEM\" (2) is in 2055, "
          + "which is 31 years late if seconds since 1970 were stored")
      #expect(findings.first?.hint.contains("978307200") == true)
    }
  }

  @Test(arguments: [
    // One of the dates is near.
    "UPDATE ZITEM SET ZADDED = ZADDED + \(epoch) WHERE Z_PK = 1",
    // 14 years ahead, as an expiry may be.
    "UPDATE ZITEM SET ZADDED = ZADDED + 14 * 31556952",
    // 40 years ahead: read as seconds since 1970, it would still be ahead.
    "UPDATE ZITEM SET ZADDED = ZADDED + 40 * 31556952",
    // The sentinels of Foundation, and a day of antiquity.
    "UPDATE ZITEM SET ZADDED = CASE Z_PK WHEN 1 THEN 63113904000 ELSE -63114076800 END",
    "UPDATE ZITEM SET ZADDED = -64506844800",
    "UPDATE ZITEM SET ZADDED = 252455615999",
    "UPDATE ZITEM SET ZADDED = NULL",
  ])
  func `dates that may be meant are not found`(sql: String) throws {
    #expect(try CinemaStore(sql).findings() == [])
  }

  @Test func `a model that allows dates so late is believed`() throws {
    let store = try CinemaStore("UPDATE ZITEM SET ZADDED = ZADDED + \(Self.epoch)")
    #expect(try store.findings().map(\.code) == [.storeDate])
    for (latest, isFound) in [("1900000000", false), ("800000000", true)] {
      let text = CinemaStore.body.replacing(
        "name=\"added\" ", with: "name=\"added\" maxDateTimeInterval=\"\(latest)\" ")
      let path = try store.directory.write(ModelText.contents(text), to: "bounded-contents")
      let findings = try store.findings(of: StoreModel(StoreOptions(model: path)))
      #expect(findings.isEmpty == !isFound)
    }
  }

  @Test func `sentinels do not clear a column`() throws {
    let findings = try CinemaStore.findings(
      after: """
        UPDATE ZITEM SET ZADDED = ZADDED + \(Self.epoch);
        UPDATE ZITEM SET ZADDED = 63113904000 WHERE Z_PK = 3
        """)
    #expect(findings.map(\.code) == [.storeDate])
  }

  @Test(arguments: ["252455616001", "-252455616001", "9e999", "x'00'", "'x'"])
  func `a value that is no time at all is found`(value: String) throws {
    let findings = try CinemaStore.findings(
      after: "UPDATE ZITEM SET ZADDED = \(value) WHERE Z_PK = 1")
    #expect(findings.map(\.code) == [.storeDate])
    #expect(findings.map(\.rowID) == [1])
  }

  @Test func `the rule goes with the day on which it is asked`() throws {
    let store = try CinemaStore("UPDATE ZITEM SET ZADDED = ZADDED + \(Self.epoch)")
    func codes(_ now: Int64) throws -> [Finding.Code] {
      try Verification.findings(
        inDatabaseAt: store.path, with: StoreVerification(model: store.model, now: now)
      ).map(\.code).filter { $0 != .contentChanged }
    }
    #expect(try codes(CinemaStore.now) == [.storeDate])
    // In 2041 the same dates are 14 years ahead, and in 2055 they are past.
    #expect(try codes(CinemaStore.now + 17 * 31_556_952) == [])
    #expect(try codes(CinemaStore.now + 32 * 31_556_952) == [])
  }
}
