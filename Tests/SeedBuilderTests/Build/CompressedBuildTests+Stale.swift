import SeedModel
import TestSupport
import Testing

@testable import SeedBuilder

/// Packed forms that are of another database than the one that they lie beside.
extension CompressedBuildTests {
  @Test func `a packed form of an older database is said by each build that leaves it`() throws {
    _ = try Build.run(options)
    let remarks = Remarks()
    var plain = options
    plain.compresses = false
    plain.onDiagnostic = { remarks.append($0) }
    // The same database: nothing is wrong.
    _ = try Build.run(plain)
    #expect(remarks.list.isEmpty)
    #expect(try Build.check(plain).isUpToDate)
    try directory.write("<a><b c='3'/></a>", to: "a.xml")
    _ = try Build.runIfChanged(plain)
    #expect(
      remarks.list.map(\.message)
        == ["the packed form is that of another database than \"\(options.output)\""])
    #expect(remarks.list.first?.location?.file == directory.path("a.sqlite.gz"))
    #expect(remarks.list.first?.severity == .warning)
    // Nor is it forgotten while there is nothing to build.
    #expect(try Build.runIfChanged(plain) == nil)
    #expect(remarks.list.count == 2)
    let report = try Build.check(plain)
    #expect(report.findings.map(\.code) == [.archive])
    #expect(report.advice.contains("--compress"))
    _ = try Build.run(options)
    #expect(try Build.check(plain).isUpToDate)
  }

  @Test func `what somebody else has packed there is no packed form`() throws {
    var plain = options
    plain.compresses = false
    let remarks = Remarks()
    plain.onDiagnostic = { remarks.append($0) }
    try directory.write("something else", to: "a.sqlite.gz")
    _ = try Build.run(plain)
    #expect(remarks.list.isEmpty)
    #expect(try Build.check(plain).isUpToDate)
  }
}
