import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Explores everything that may happen to an installation: the process dies or the power fails
/// between any two operations, and any part of what was not synchronized is lost.
@Suite struct ModelCheckTests {
  private static let folder = "/app/data"
  private static let destination = "/app/data/default.sqlite"
  private static let seedPath = "/bundle/default.sqlite"

  /// How the world looks before the call.
  struct World: Sendable, CustomTestStringConvertible {
    var destination: [UInt8]?
    var siblings: [String] = []
    var litter = false
    var isMarked = false
    var hasFolder = true

    var testDescription: String {
      "\(destination.map { "\($0.count) bytes" } ?? "absent"), \(siblings), "
        + "litter \(litter), marked \(isMarked), folder \(hasFolder)"
    }

    func files(_ unsupported: [FileError.Operation: Int32]) -> MemoryFiles {
      let memory = MemoryFiles(unsupported: unsupported)
      memory.put(ModelDatabase.seed, at: seedPath)
      memory.putDirectory("/app")
      guard hasFolder else { return memory }
      memory.putDirectory(folder)
      if let destination { memory.put(destination, at: ModelCheckTests.destination) }
      for sibling in siblings {
        memory.put([1, 2, 3], at: ModelCheckTests.destination + sibling)
      }
      let staging = ".default.sqlite.staging-dead"
      if litter { memory.put([9], at: folder + "/" + staging) }
      if litter || isMarked {
        memory.put(
          isMarked ? Array(staging.utf8) : [], at: folder + "/.default.sqlite.install-lock")
      }
      return memory
    }
  }

  static let worlds: [World] =
    [
      World(), World(siblings: ["-wal"]), World(siblings: ["-wal", "-shm", "-journal"]),
      World(litter: true, isMarked: true), World(litter: true), World(isMarked: true),
      World(siblings: ["-wal"], litter: true, isMarked: true), World(hasFolder: false),
      World(destination: ModelDatabase.sealed),
      World(destination: ModelDatabase.sealed, siblings: ["-wal", "-shm"]),
      World(destination: ModelDatabase.sealed, litter: true, isMarked: true),
      World(destination: []), World(destination: [7, 7], siblings: ["-wal"]),
    ]

  static let rungs: [[FileError.Operation: Int32]] = [
    [:], [.renameExclusively: 22, .copyRange: 38], [.renameExclusively: 22, .link: 95],
    [.flock: 37],
  ]

  private func install(_ memory: MemoryFiles, files: FileSystem? = nil) throws -> InstallResult {
    var options = InstallOptions()
    options.repair = true
    let files = files ?? memory.files
    return try Installation(
      seed: Seed(path: Self.seedPath), destination: Self.destination, options: options,
      files: files, databases: ModelDatabase.access(memory),
      watch: InstallWatch(nil, onProgress: nil)
    ).run()
  }

  /// What is wrong with a state: at every moment the destination is as it was, absent or complete,
  /// and a new one has no log of an earlier one beside it.
  private func fault(in memory: MemoryFiles, _ world: World) -> String? {
    guard let bytes = memory.bytes(at: Self.destination) else { return nil }
    if bytes == world.destination { return nil }
    guard bytes == ModelDatabase.sealed else { return "torn, \(bytes.count) bytes" }
    return memory.bytes(at: Self.destination + "-wal") == nil ? nil : "a log beside it"
  }

  /// Lets the next call run, and the power fail after it.
  private func faultAfterwards(_ memory: MemoryFiles, _ world: World) -> String? {
    do {
      _ = try install(memory)
    } catch {
      return "the next call failed: \(error)"
    }
    if let fault = fault(in: memory, world) { return "after the next call: \(fault)" }
    let names = memory.names(in: Self.folder)
    if names.contains(where: { $0.contains(".staging-") }) { return "litter: \(names)" }
    let after = memory.afterPowerFailure(kept: 0, content: .nothing)
    guard after.bytes(at: Self.destination) == ModelDatabase.sealed else {
      return "lost by a power failure after a normal return"
    }
    return nil
  }

  /// Every state that a stop before operation `number` may leave.
  ///
  /// Files that differ in nothing but the random part of a name are one state.
  private func explore(
    _ memory: MemoryFiles, _ world: World, hasLock: Bool, _ seen: inout Set<[String: [UInt8]?]>
  ) -> [String] {
    var faults: [String] = []
    func check(_ state: MemoryFiles, _ name: String) {
      let key = Dictionary(
        state.contents.map { (Self.withoutRandomDigits($0.key), $0.value) },
        uniquingKeysWith: { first, _ in first })
      // The process's death keeps what is not on the disk, which the contents do not show.
      guard name == "process" || seen.insert(key).inserted else { return }
      if let fault = fault(in: state, world) { faults.append("\(name): \(fault)") }
      // Without locks nobody sweeps, and what is marked as unfinished stays.
      guard hasLock else { return }
      if let fault = faultAfterwards(state, world) { faults.append("\(name): \(fault)") }
    }
    check(memory.afterProcessDeath(), "process")
    for content in MemoryFiles.Content.allCases {
      for kept in 0..<(1 << memory.unsynchronizedCount) {
        check(memory.afterPowerFailure(kept: kept, content: content), "power \(kept) \(content)")
      }
    }
    return faults
  }

  private static func withoutRandomDigits(_ path: String) -> String {
    path.split(separator: "/").map { part in
      let pieces = part.split(separator: "-")
      return pieces.map { $0.count == 16 ? "random" : String($0) }.joined(separator: "-")
    }.joined(separator: "/")
  }

  @Test(arguments: worlds, rungs)
  func `nothing that can happen leaves a partial database or stops the next call`(
    world: World, unsupported: [FileError.Operation: Int32]
  ) throws {
    var number = 1
    var faults: [String] = []
    var seen: Set<[String: [UInt8]?]> = []
    while true {
      let memory = world.files(unsupported)
      let faulty = FaultyFiles(failing: number, .allAfter, base: memory.files)
      _ = try? install(memory, files: faulty.files)
      guard faulty.isReached else { break }
      faults += explore(memory, world, hasLock: unsupported[.flock] == nil, &seen)
        .map { "before \(faulty.calls[number - 1]): \($0)" }
      number += 1
    }
    #expect(number > 5)
    #expect(faults.prefix(5) == [])
    // And without a fault.
    let memory = world.files(unsupported)
    _ = try install(memory)
    #expect(
      memory.afterPowerFailure(kept: 0, content: .nothing).bytes(at: Self.destination)
        == ModelDatabase.sealed)
  }

  @Test(arguments: NaiveLoader.allCases)
  func `a naive loader leaves partial or no databases`(loader: NaiveLoader) throws {
    let world = World()
    var faults: [String] = []
    var number = 1
    while true {
      let memory = world.files([:])
      let faulty = FaultyFiles(failing: number, .allAfter, base: memory.files)
      try? loader.run(Self.seedPath, Self.destination, faulty.files)
      for content in MemoryFiles.Content.allCases {
        for kept in 0..<(1 << memory.unsynchronizedCount) {
          let after = memory.afterPowerFailure(kept: kept, content: content)
          let bytes = after.bytes(at: Self.destination)
          if let bytes, bytes != ModelDatabase.seed { faults.append("torn") }
          if !faulty.isReached, bytes == nil { faults.append("lost") }
        }
      }
      guard faulty.isReached else { break }
      number += 1
    }
    #expect(faults.contains("torn"))
    #expect(faults.contains("lost"))
  }
}
