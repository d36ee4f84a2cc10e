internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Tells dates that were stored with another epoch or unit from those that are meant.
///
/// Core Data counts seconds since 2001-01-01. Three mistakes are common:
///
/// - A text such as `2024-05-01`: never right.
/// - Milliseconds (or less) since whenever: beyond the year 10,000, where no date is meant. The
///   sentinels of Foundation, the years 1 and 4001, are nearer.
/// - Seconds since 1970: 31 years too late. A single date far ahead proves nothing, for maturities,
///   birthdays to come and expiries are far ahead, too. So a whole column is judged: each of its dates
///   has to be more than 15 years ahead of today, and none more than 32, so that, read as seconds
///   since 1970, all of them fall within the last 16 years or the next one. One date that is nearer
///   clears the column, and so does a model that allows dates as late as these. What is older than 16
///   years is not found: 31 years later it is a date that an app may well mean.
struct DateRule {
  /// The seconds from 1970 to 2001.
  static let epoch: Int64 = 978_307_200
  /// The year 10,000, and as far before 2001.
  static let farthest: Int64 = 252_455_616_000
  /// `Date.distantFuture`, which stands for never, and `Date.distantPast`.
  static let distantFuture: Int64 = 63_113_904_000
  static let distantPast: Int64 = -63_114_076_800
  private static let year: Int64 = 31_556_952

  /// Dates that are too late by 31 years if no other is in their column.
  private let suspicious: ClosedRange<Int64>

  /// - Parameter now: Today, in seconds since 1970.
  init(now: Int64) {
    let today = now - Self.epoch
    suspicious = (today + 15 * Self.year)...(today + 31 * Self.year + Self.year)
  }

  // MARK: Single values

  /// The rules about single values of a column.
  func rules(_ date: StoreShape.DateColumn) -> [RowRule] {
    let column = "t.\(SQLiteName.quoted(date.column))"
    return [
      RowRule(
        code: .storeDate, condition: "typeof(\(column)) IN ('text', 'blob')", shown: [column],
        message: { row, shown in
          "\(row) has \(shown[0]) as the date \"\(date.name)\", which is no number"
        },
        summary: "have no number as the date \"\(date.name)\"",
        hint: "store seconds since 2001-01-01 00:00 UTC: Unix time - \(Self.epoch)"),
      RowRule(
        code: .storeDate,
        condition: "typeof(\(column)) IN ('integer', 'real') "
          + "AND (\(column) > \(Self.farthest) OR \(column) < -\(Self.farthest))",
        shown: [column],
        message: { row, shown in
          "\(row) has \(shown[0]) as the date \"\(date.name)\", which is beyond the year 10000"
        },
        summary: "have a date \"\(date.name)\" beyond the year 10000",
        hint: "store seconds, not milliseconds, since 2001-01-01 00:00 UTC"),
    ]
  }

  // MARK: Columns

  /// The aggregates of a column for ``finding(_:table:totals:)``: suspicious dates, other ones, and the
  /// least and the last suspicious one.
  func aggregates(_ date: StoreShape.DateColumn) -> [String] {
    let column = "t.\(SQLiteName.quoted(date.column))"
    let isNumber = "typeof(\(column)) IN ('integer', 'real')"
    let (first, last) = (suspicious.lowerBound, suspicious.upperBound)
    let isSuspicious = "\(isNumber) AND \(column) BETWEEN \(first) AND \(last)"
    let isOther =
      "\(isNumber) AND \(column) NOT BETWEEN \(first) AND \(last) "
      + "AND \(column) > \(Self.distantPast) AND \(column) < \(Self.distantFuture)"
    return [
      RowScan.count(isSuspicious), RowScan.count(isOther),
      "CAST(min(\(column)) FILTER (WHERE \(isSuspicious)) AS INTEGER)",
      "CAST(max(\(column)) FILTER (WHERE \(isSuspicious)) AS INTEGER)",
    ]
  }

  /// What is wrong with a column as a whole.
  func finding(
    _ date: StoreShape.DateColumn, table: String, totals: ArraySlice<Int64>
  ) -> Finding? {
    let totals = Array(totals)
    let (count, others, first, last) = (totals[0], totals[1], totals[2], totals[3])
    guard count > 0, others == 0 else { return nil }
    if let latest = date.latest, latest >= Double(last) { return nil }
    let years = [first, last].map { 2001 + $0 / Self.year }
    let range = years[0] == years[1] ? "in \(years[0])" : "from \(years[0]) to \(years[1])"
    var finding = Finding(
      .storeDate,
      "every date \"\(date.name)\" of \"\(table)\" (\(count)) is \(range), "
        + "which is 31 years late if seconds since 1970 were stored",
      hint: "subtract \(Self.epoch): dates count from 2001-01-01 00:00 UTC; if these are meant, "
        + "verify with a model that has a latest date for the attribute")
    finding.table = table
    return finding
  }
}
