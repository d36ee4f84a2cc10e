import SeedMerge
import SeedSQLite
import Testing

/// Each kind of table, by a snapshot and row by row.
@Suite struct TableVariantTests {
  private func bench(_ variant: TableVariant) throws -> MergeBench {
    let bench = try MergeBench(variant.schema, rows: variant.insert(variant.old))
    // The app's column differs from row to row.
    try bench.live.execute(
      "UPDATE \(variant.quotedTable) SET mine = 'mine ' || \(variant.table.key.map { "\"\($0)\"" }.joined(separator: "||"))"
    )
    return bench
  }

  /// The app's column and the rowid, by key, of the rows that are there before and after.
  private func kept(_ variant: TableVariant, _ bench: MergeBench) throws -> [String] {
    let rowID = variant.hasRowID && !variant.declaresRowID ? ", rowid" : ""
    return try bench.rows(
      "SELECT mine\(rowID) FROM \(variant.quotedTable) WHERE mine <> 'd' ORDER BY mine")
  }

  private func expect(
    _ variant: TableVariant, _ bench: MergeBench, before: [String]
  ) throws {
    let fresh = try MergeBench(variant.schema, rows: variant.insert(variant.new))
    let query =
      "SELECT \(variant.columnList) FROM \(variant.quotedTable) ORDER BY \(variant.keyList)"
    #expect(try bench.rows(query) == fresh.rows(query))
    let after = try kept(variant, bench)
    #expect(after.allSatisfy { before.contains($0) }, "\(after) of \(before)")
    // Every old row whose key is there still has the app's value.
    let keys = { (rows: [String]) in
      Set(
        try MergeBench(variant.schema, rows: variant.insert(rows)).rows(
          "SELECT \(variant.keyList) FROM \(variant.quotedTable)"
        ).map { $0.lowercased().replacing(".0", with: "") })
    }
    #expect(try after.count == keys(variant.old).intersection(keys(variant.new)).count)
    try bench.expectSound()
  }

  @Test(arguments: TableVariant.all)
  func `a snapshot becomes the content, and rows that stay keep what is the app's`(
    variant: TableVariant
  ) throws {
    let bench = try bench(variant)
    let before = try kept(variant, bench)
    let snapshot = try bench.snapshot(variant.insert(variant.new))
    let counts = try bench.merge([variant.table], snapshot: snapshot)
    try expect(variant, bench, before: before)
    #expect(counts.written + counts.unchanged == Int64(variant.new.count))

    try bench.emptyLog()
    let again = try bench.merge([variant.table], snapshot: snapshot)
    #expect(try bench.logByteCount == 0)
    #expect(again.written == 0 && again.deleted == 0)
    #expect(again.unchanged == Int64(variant.new.count))
  }

  @Test(arguments: TableVariant.all)
  func `rows one by one become the content, and rows that stay keep what is the app's`(
    variant: TableVariant
  ) throws {
    let bench = try bench(variant)
    let before = try kept(variant, bench)
    let old = try MergeBench(variant.schema, rows: variant.insert(variant.old)).live.rows(
      "SELECT \(variant.keyList) FROM \(variant.quotedTable)")
    let new = try MergeBench(variant.schema, rows: variant.insert(variant.new)).live.rows(
      "SELECT \(variant.columnList) FROM \(variant.quotedTable)")
    let apply: (RowMerge) throws -> Void = { merge in
      // As a publisher lists them: whose unique value moves stands in both sections.
      let deletion = try merge.deletion(from: variant.table.name, columns: variant.table.key)
      for row in old { try deletion.add(row) }
      let upsert = try merge.upsert(into: variant.table.name, columns: variant.table.columns)
      for row in new { try upsert.add(row) }
    }
    let counts = try bench.merge([variant.table], apply)
    try expect(variant, bench, before: before)
    #expect(counts.written + counts.unchanged == Int64(new.count))
    #expect(counts.inserted == nil)
  }

  @Test(arguments: TableVariant.all)
  func `rows that do not differ are not written`(variant: TableVariant) throws {
    let bench = try bench(variant)
    let rows = try bench.live.rows("SELECT \(variant.columnList) FROM \(variant.quotedTable)")
    try bench.live.execute(
      """
      CREATE TEMP TABLE fired(x);
      CREATE TEMP TRIGGER watch AFTER UPDATE ON main.\(variant.quotedTable)
      BEGIN INSERT INTO fired VALUES (1); END
      """)
    try bench.emptyLog()
    let counts = try bench.merge([variant.table]) { merge in
      let upsert = try merge.upsert(into: variant.table.name, columns: variant.table.columns)
      for row in rows { #expect(try !upsert.add(row)) }
    }
    #expect(counts.unchanged == Int64(rows.count) && counts.written == 0)
    #expect(try bench.logByteCount == 0)
    #expect(try bench.rows("SELECT * FROM fired") == [])
  }
}
