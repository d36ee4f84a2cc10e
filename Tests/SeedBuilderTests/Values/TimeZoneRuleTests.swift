import Foundation
import SeedModel
import Testing

@testable import SeedBuilder

/// A machine without the time zone database can still build, with UTC and offsets.
private let hasDatabase = FileManager.default.fileExists(
  atPath: TimeZoneRule.databaseDirectory + "/Europe/Berlin")

@Suite struct TimeZoneRuleTests {
  @Test(arguments: [
    ("UTC", "2010-01-16T10:00:00", "2010-01-16T10:00:00Z"),
    ("Z", "2010-01-16T10:00", "2010-01-16T10:00Z"),
    ("+01:00", "2010-01-16T00:30:00.25", "2010-01-15T23:30:00.25Z"),
    ("-05:30", "2010-12-31 20:00", "2011-01-01T01:30Z"),
    ("+01:00", "16.01.2010 10:05", "2010-01-16T09:05Z"),
    ("+01:00", "2010-01-16T10:00:00+05:00", "2010-01-16T10:00:00+05:00"),
    ("+01:00", "2010-01-16T10:00:00Z", "2010-01-16T10:00:00Z"),
    ("+01:00", "2010-01-16 10:00:00 +0500", "2010-01-16T10:00:00+05:00"),
    ("+01:00", "2010-01-16", "2010-01-16"), ("+01:00", "16.01.2010", "2010-01-16"),
    ("+01:00", "0001-01-01T00:30", "0000-12-31T23:30Z"),
  ])
  func `a time without a zone becomes UTC`(zone: String, text: String, utc: String) throws {
    let rules = ValueRules(timeZone: try TimeZoneRule(named: zone))
    #expect(stored([text, text], rules: rules) == [.text(utc), .text(utc)])
  }

  @Test(
    .enabled(if: hasDatabase),
    arguments: [
      ("Europe/Berlin", "2010-01-16T10:00:00", "2010-01-16T09:00:00Z"),
      ("Europe/Berlin", "2010-07-16T10:00:00", "2010-07-16T08:00:00Z"),
      ("Europe/Berlin", "2010-03-28T01:59:59", "2010-03-28T00:59:59Z"),
      ("Europe/Berlin", "2010-03-28T03:00:00", "2010-03-28T01:00:00Z"),
      ("Europe/Berlin", "2010-10-31T02:30:00", "2010-10-31T00:30:00Z"),
      ("Europe/Berlin", "2090-07-16T10:00:00", "2090-07-16T08:00:00Z"),
      ("Europe/Berlin", "1880-01-01T12:00", "1880-01-01T11:06:32Z"),
      ("America/New_York", "2010-11-07T01:30:00", "2010-11-07T05:30:00Z"),
      ("Australia/Sydney", "2090-01-01T10:00:00", "2089-12-31T23:00:00Z"),
      ("Asia/Kathmandu", "2010-01-16T00:00", "2010-01-15T18:15Z"),
      ("Pacific/Apia", "2011-12-29T12:00", "2011-12-29T22:00Z"),
    ])
  func `a named zone knows its history`(zone: String, text: String, utc: String) throws {
    let rules = ValueRules(timeZone: try TimeZoneRule(named: zone))
    #expect(stored([text], rules: rules) == [.text(utc)])
  }

  @Test(
    .enabled(if: hasDatabase),
    arguments: [
      ("Europe/Berlin", "2010-03-28T02:30:00"), ("Pacific/Apia", "2011-12-30T12:00"),
      ("Europe/Berlin", "2090-03-26T02:30:00"), ("-01:00", "9999-12-31T23:30"),
    ])
  func `a time that the zone skips is not converted`(zone: String, text: String) throws {
    let rules = ValueRules(timeZone: try TimeZoneRule(named: zone))
    #expect(columnType(["2010-01-16T10:00", text], rules: rules) == .text)
    #expect(stored([text], rules: rules) == [.text(text)])
    var converter = ColumnConverter(ValueStatistics(of: ["2010-01-16T10:00"], rules: rules))
    #expect(converter.convert(text) == .contradiction)
  }

  @Test(
    .enabled(if: hasDatabase),
    arguments: [
      "Europe/Berlin", "America/New_York", "America/St_Johns", "Australia/Lord_Howe",
      "America/Santiago", "Asia/Tehran", "Europe/Dublin", "Asia/Tokyo", "Etc/GMT+5",
      "Africa/Casablanca", "America/Nuuk",
    ])
  func `a named zone agrees with Foundation`(name: String) throws {
    let rule = try TimeZoneRule(named: name)
    let zone = try #require(TimeZone(identifier: name))
    var generator = SeededGenerator(state: 5)
    for _ in 0..<2000 {
      // 1971 to 2036: beyond, Foundation's own data end.
      let instant = Int64.random(in: 31_536_000..<2_082_758_400, using: &generator)
      let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
      let local = instant + Int64(offset)
      let found = try #require(rule.utcSeconds(fromLocal: local), "\(instant)")
      // The other of two instants with this local time is the earlier one.
      #expect(found == instant || (found < instant && instant - found <= 7200), "\(instant)")
      let foundOffset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(found)))
      #expect(found + Int64(foundOffset) == local, "\(instant)")
    }
  }

  @Test(arguments: [
    "", "Berlin", "Europe/Berlim", "europe/berlin/", "/Europe/Berlin", "../zoneinfo/UTC",
    "Europe/../Europe/Berlin", "Europe", "zone.tab", "tzdata.zi", "leapseconds", "localtime",
    "+1:00", "+15:00", "+01:60", "01:00", "+01", " +0100", "+0100", "utc ", "Europe/Ber lin",
  ])
  func `a name that is no zone is refused`(name: String) {
    #expect {
      try TimeZoneRule(named: name)
    } throws: { error in
      let error = error as? ValueRulesError
      // A machine without the database cannot tell a misspelt name.
      return error?.text == name
        && (error?.reason == .unknownTimeZone || (!hasDatabase && error != nil))
    }
  }

  @Test func `a missing database is told apart from a misspelt name`() {
    #expect(throws: ValueRulesError(.unreadableTimeZone, in: "Europe/Berlin")) {
      try TimeZoneRule(named: "Europe/Berlin", databaseDirectory: "/nowhere/zoneinfo")
    }
  }

  @Test(.enabled(if: hasDatabase))
  func `a damaged zone file is refused and never crashes`() throws {
    let path = TimeZoneRule.databaseDirectory + "/Europe/Berlin"
    let content = Array(try Data(contentsOf: URL(filePath: path)))
    #expect(ZoneTransitions(content) != nil)
    #expect(ZoneTransitions([]) == nil)
    for count in stride(from: 0, to: content.count, by: 7) {
      #expect(ZoneTransitions(Array(content[..<count])) == nil, "\(count) bytes")
    }
    var generator = SeededGenerator(state: 6)
    for _ in 0..<500 {
      var damaged = content
      let index = Int.random(in: 0..<content.count, using: &generator)
      damaged[index] = UInt8.random(in: 0...255, using: &generator)
      _ = ZoneTransitions(damaged)?.utcSeconds(fromLocal: 4_000_000_000)
    }
  }
}
