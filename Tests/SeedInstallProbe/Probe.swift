import Foundation
import SeedSQLite
import SeedStore

/// One run of the probe; what it found goes to standard output as `name=value`.
struct Probe {
  let arguments: ProbeArguments
  let loader: Loader
  let source: String
  let destination: String

  init(_ arguments: ProbeArguments) throws {
    self.arguments = arguments
    guard let loader = Loader(rawValue: arguments["loader"] ?? "seed") else {
      throw ProbeArguments.Mistake(description: "no such loader")
    }
    self.loader = loader
    source = try arguments.path(0)
    destination = try arguments.path(1)
  }

  func run() throws {
    try awaitStart()
    switch arguments.verb {
    case "load": report(try load())
    case "open": try open()
    case "hold": try hold()
    case "progress": try progress()
    case "descriptors": try descriptors()
    case "time": try time()
    default: throw ProbeArguments.Mistake(description: "no such verb")
    }
  }

  // MARK: Verbs

  /// Loads, opens as an app does and adds a row.
  private func open() throws {
    let outcome = try load()
    try addRow()
    report(outcome)
  }

  /// Calls the loader in the middle of a transaction of this very process.
  private func hold() throws {
    let writer = try Connection(path: destination, mode: .readWrite)
    try writer.execute("BEGIN IMMEDIATE; INSERT INTO item (id, name) VALUES (900001, 'held')")
    if arguments["peek"] == nil {
      report(try load())
    } else {
      // What a loader does that reads the version from the file's header by itself.
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: destination))
      _ = try handle.read(upToCount: 4)
      try handle.close()
      print("outcome=peeked")
    }
    fflush(nil)
    _ = readLine()
    try writer.execute("COMMIT")
    try writer.close()
    print("committed=1")
  }

  private func progress() throws {
    let destination = destination
    report(
      try load(onProgress: { share in
        print("share=\(share)")
        // Who hears that all is done may open the database.
        if share == 1 { print("there=\(access(destination, F_OK) == 0 ? 1 : 0)") }
      }))
  }

  /// Counts this process's descriptors before and after a load, however it ends.
  private func descriptors() throws {
    let before = try openDescriptors()
    do {
      report(try load())
    } catch {
      print("error=\(error)")
    }
    print("before=\(before)\nafter=\(try openDescriptors())")
  }

  private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// Loads again and again, and prints the time of each in microseconds.
  private func time() throws {
    let count: Int = try arguments.number("count") ?? 1
    for _ in 0..<count {
      let start = DispatchTime.now().uptimeNanoseconds
      let outcome = try load()
      let end = DispatchTime.now().uptimeNanoseconds
      print("microseconds=\(Double(end - start) / 1000)")
      report(outcome)
    }
  }

  // MARK: Parts

  /// Waits for the file by which all processes of a race start at once.
  private func awaitStart() throws {
    guard let file = arguments["start"] else { return }
    print("ready=1")
    fflush(nil)
    while access(file, F_OK) != 0 { usleep(200) }
    if let microseconds: UInt32 = try arguments.number("delay") { usleep(microseconds) }
  }

  private func load(
    onProgress: (@Sendable (Double) -> Void)? = nil
  ) throws -> Loader.Report {
    var hooks = Loader.Hooks()
    if let onProgress { hooks.progress = onProgress }
    if let incident = arguments["do"].flatMap(Incident.init) {
      let (destination, cancellation) = (destination, hooks.cancellation)
      let child: @Sendable () -> Void = {
        do {
          _ = try loader.load(
            source, destination, options: try options(), hooks: Loader.Hooks(),
            manifest: manifest)
          try addRow(plus: 1)
        } catch {
          print("child-error=\(error)")
        }
      }
      if let share: Double = try arguments.number("at") {
        let hasHappened = Once()
        hooks.progress = { done in
          guard done >= share, hasHappened.isFirst() else { return }
          do {
            try incident.happen(
              destination: destination, cancellation: cancellation, child: child)
          } catch {
            print("incident-error=\(error)")
          }
        }
      } else {
        hooks.prepare = { _ in
          try incident.happen(
            destination: destination, cancellation: cancellation, child: child)
        }
      }
    }
    let report = try loader.load(
      source, destination, options: try options(), hooks: hooks, manifest: manifest)
    if arguments["do"] == Incident.forkLoad.rawValue {
      var status: Int32 = 0
      wait(&status)
    }
    return report
  }

  private var manifest: Seed.ManifestSource {
    arguments["manifest"] == "none" ? .none : .beside
  }

  private func options() throws -> InstallOptions {
    var options = InstallOptions()
    if let policy = arguments["policy"] {
      guard let policy = UpdatePolicy(rawValue: policy) else {
        throw ProbeArguments.Mistake(description: "no such policy")
      }
      options.policy = policy
    }
    if let mode = arguments["journal-mode"].flatMap(JournalMode.init) {
      options.journalMode = mode
    }
    if let milliseconds: Int = try arguments.number("lock-timeout") {
      options.lockTimeout = .milliseconds(milliseconds)
    }
    return options
  }

  /// Opens for reading and writing without creating, and adds a row; acknowledges it.
  private func addRow(plus offset: Int = 0) throws {
    guard let row: Int = try arguments.number("row") else { return }
    let connection = try Connection(path: destination, mode: .readWrite)
    // Without a wait, a change of the journal mode that others are at is an error at once.
    if arguments["set-wal"] != nil { try connection.execute("PRAGMA journal_mode = WAL") }
    connection.setBusyTimeout(milliseconds: 60_000)
    try connection.execute(
      "INSERT INTO item (id, name) VALUES (\(row + offset), 'mine')")
    print("acknowledged=\(row + offset)")
    fflush(nil)
    if let file = arguments["stay"] { while access(file, F_OK) != 0 { usleep(1000) } }
    try connection.close()
  }

  private func report(_ outcome: Loader.Report) {
    var status = stat()
    stat(destination, &status)
    print(
      "outcome=\(outcome.name)\nmethod=\(outcome.method)\npublishing=\(outcome.publishing)\n"
        + "locked=\(outcome.isLocked ? 1 : 0)\ninode=\(status.st_ino)")
  }
}

/// Lets one caller through.
///
/// `@unchecked` is safe: the state has a lock.
private final class Once: @unchecked Sendable {
  private let lock = NSLock()
  private var isOver = false

  func isFirst() -> Bool {
    lock.withLock {
      defer { isOver = true }
      return !isOver
    }
  }
}
