import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Seeds whose file does not say which one it is: packed by another tool, or without a stamp.
@Suite struct UnstampedSeedTests {
  private static let old = ["row 1", "row 2", "row 3"]
  private static let new = ["new 1", "new 2", "new 3", "new 4", "new 5"]

  /// A database that was installed, and a newer seed, packed as gzip alone does it.
  private func packed(
    isStamped: Bool = true
  ) throws -> (bench: InstallBench, seed: Seed) {
    let bench = try InstallBench(isOwned: true)
    try bench.install()
    try FileSystem.live.unlink(bench.seedPath)
    try InstallBench.writeSeed(
      to: bench.seedPath, rowCount: 5, prefix: "new", version: "2", isStamped: isStamped,
      extra: InstallBench.ownership)
    let run = try CommandRun.run("/bin/sh", ["-c", "gzip -nk '\(bench.seedPath)'"])
    try #require(run.status == 0)
    return (bench, Seed(path: bench.seedPath + ".gz"))
  }

  private func install(
    _ bench: InstallBench, _ seed: Seed, _ policy: UpdatePolicy
  ) throws -> InstallResult {
    try SeedDatabase.install(seed, at: bench.destination, options: InstallOptions(policy: policy))
  }

  @Test(arguments: [UpdatePolicy.replace, .replaceIfPristine, .merge])
  func `what another tool has packed is the seed that is in it`(policy: UpdatePolicy) throws {
    let (bench, seed) = try packed()
    let outcome = try install(bench, seed, policy).outcome
    switch (outcome, policy) {
    case (.replaced, .replace), (.replaced, .replaceIfPristine), (.merged, .merge): break
    default: Issue.record("\(outcome)")
    }
    #expect(try bench.items() == Self.new)
    #expect(try bench.litter == [])
    #expect(try install(bench, seed, policy).outcome == .alreadyCurrent)
    #expect(try install(bench, seed, .keep).outcome == .alreadyCurrent)
    #expect(try bench.litter == [])
  }

  @Test func `what was written since keeps it out as it does a seed that says its name`() throws {
    let (bench, seed) = try packed()
    try bench.write("INSERT INTO item VALUES (100, 'mine')")
    let result = try install(bench, seed, .replaceIfPristine)
    #expect(result.keptReason == .modified)
    #expect(try bench.items() == Self.old + ["mine"])
  }

  @Test func `a manifest tells without unpacking`() throws {
    var (bench, seed) = try packed()
    var manifest = try bench.manifest()
    manifest.contentSHA256 = String(repeating: "0", count: 64)
    seed.manifest = .given(manifest)
    guard case .kept = try install(bench, seed, .keep).outcome else {
      Issue.record("a seed that differs is current")
      return
    }
    seed.manifest = .none
    _ = try install(bench, seed, .replace)
    manifest.contentSHA256 = try bench.identity().contentSHA256
    // The wrong digest of the file would be found if it were unpacked.
    manifest.sha256 = String(repeating: "0", count: 64)
    seed.manifest = .given(manifest)
    #expect(try install(bench, seed, .replace).outcome == .alreadyCurrent)
  }

  @Test(arguments: [false, true])
  func `one without a stamp replaces what has another content, and nothing else`(
    isPacked: Bool
  ) throws {
    var (bench, seed) = try packed(isStamped: false)
    if !isPacked { seed.path = bench.seedPath }
    for policy in [UpdatePolicy.replaceIfPristine, .merge] {
      let result = try install(bench, seed, policy)
      guard case .otherSeed(let installed) = result.keptReason else {
        Issue.record("\(result)")
        continue
      }
      #expect(installed.name == "shop")
    }
    #expect(try bench.items() == Self.old)
    guard case .replaced = try install(bench, seed, .replace).outcome else {
      Issue.record("not replaced")
      return
    }
    #expect(try bench.items() == Self.new)
    #expect(try install(bench, seed, .replace).outcome == .alreadyCurrent)
    try bench.write("INSERT INTO item VALUES (100, 'mine')")
    guard case .replaced(let backup) = try install(bench, seed, .replace).outcome else {
      Issue.record("not replaced")
      return
    }
    #expect(try bench.items() == Self.new)
    #expect(try bench.items(at: backup) == Self.new + ["mine"])
    #expect(try bench.litter == [])
  }

  @Test(arguments: [UpdatePolicy.replaceIfPristine, .merge])
  func `another name keeps a seed out, and the result says whose the installed one is`(
    policy: UpdatePolicy
  ) throws {
    let bench = try InstallBench(name: "goods-2024")
    try bench.install()
    try bench.renewSeed(name: "goods-2025")
    let result = try bench.install(InstallOptions(policy: policy))
    guard case .otherSeed(let installed) = result.keptReason else {
      Issue.record("\(result)")
      return
    }
    #expect(installed.name == "goods-2024")
    #expect(try bench.install(InstallOptions(policy: .keep)).keptReason == .policy)
  }
}
