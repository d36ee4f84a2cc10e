import Foundation
import SeedStore

/// The ways to get a database in place: this package's, and those of apps without it.
///
/// The naive ones are what each fault must break, or its test would show nothing.
enum Loader: String {
  /// `SeedDatabase.install`.
  case seed
  /// Unless the file exists, `FileManager.copyItem`: the bytes arrive under the final name.
  case copyItem = "copy-item"
  /// Unless the file exists, read and write in a loop, as a stream copies to a file.
  case stream
  /// Unless the file exists, a temporary file and a plain rename.
  case rename
  /// The same with an `fsync` of the file, but not of its folder.
  case syncedRename = "synced-rename"
  /// Unless the file exists, `Data.write` with `.atomic`.
  case atomicWrite = "atomic-write"
  /// Whatever exists, the file is removed and copied by `FileManager.copyItem`: "a newer version".
  case copyOver = "copy-over"
  /// Whatever exists, a temporary file is renamed over it.
  case renameOver = "rename-over"
  /// Unless the file exists, calls in a row whose last ones close what the first ones have opened.
  case plainCalls = "plain-calls"

  /// What a load did; `name` is the outcome's.
  struct Report {
    var name: String
    var method = ""
    var publishing = ""
    var isLocked = true
  }

  /// What happens on the way.
  struct Hooks {
    var prepare: @Sendable (_ path: String) throws -> Void = { _ in }
    var progress: @Sendable (_ share: Double) -> Void = { _ in }
    /// For the loaders that can be ended.
    var cancellation = InstallCancellation()
  }

  /// Puts the database in place, or finds it there.
  func load(
    _ source: String, _ destination: String, options: InstallOptions, hooks: Hooks,
    manifest: Seed.ManifestSource
  ) throws -> Report {
    if self == .seed {
      var options = options
      options.prepare = hooks.prepare
      options.progress = hooks.progress
      let seed = Seed(path: source, manifest: manifest)
      return Report(
        try SeedDatabase.install(
          seed, at: destination, options: options, cancellation: hooks.cancellation))
    }
    if self == .copyOver || self == .renameOver { return try replace(source, destination, hooks) }
    // "It is there, so it was copied."
    if FileManager.default.fileExists(atPath: destination) { return Report(name: "exists") }
    switch self {
    case .seed, .copyOver, .renameOver: break
    case .plainCalls: try copyPlainly(source, destination)
    case .copyItem: try FileManager.default.copyItem(atPath: source, toPath: destination)
    case .stream: try copy(source, destination, hooks)
    case .rename, .syncedRename:
      let temporary = destination + ".tmp-\(getpid())"
      try copy(source, temporary, hooks)
      if self == .syncedRename {
        try withDescriptor(temporary, O_RDONLY) { try check(fsync($0), "fsync") }
      }
      try hooks.prepare(temporary)
      try check(systemRename(temporary, destination), "rename")
    case .atomicWrite:
      try Data(contentsOf: URL(fileURLWithPath: source))
        .write(to: URL(fileURLWithPath: destination), options: .atomic)
    }
    return Report(name: "copied")
  }

  private func replace(_ source: String, _ destination: String, _ hooks: Hooks) throws -> Report {
    if self == .copyOver {
      if FileManager.default.fileExists(atPath: destination) {
        try FileManager.default.removeItem(atPath: destination)
      }
      try FileManager.default.copyItem(atPath: source, toPath: destination)
    } else {
      let temporary = destination + ".tmp-\(getpid())"
      try copy(source, temporary, hooks)
      try check(systemRename(temporary, destination), "rename")
    }
    return Report(name: "copied")
  }

  /// Without `defer`, as C has none: an error on the way leaves both descriptors open.
  private func copyPlainly(_ source: String, _ destination: String) throws {
    let temporary = destination + ".tmp-\(getpid())"
    let reader = try check(open(source, O_RDONLY), "open")
    let writer = try check(open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o644), "open")
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try check(read(reader, &buffer, buffer.count), "read")
      if count == 0 { break }
      try check(write(writer, buffer, count), "write")
    }
    try check(systemRename(temporary, destination), "rename")
    close(writer)
    close(reader)
  }

  private func copy(_ source: String, _ path: String, _ hooks: Hooks) throws {
    let total = try FileManager.default.attributesOfItem(atPath: source)[.size] as? Int ?? 1
    try withDescriptor(source, O_RDONLY) { reader in
      try withDescriptor(path, O_WRONLY | O_CREAT | O_TRUNC) { writer in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var done = 0
        while true {
          let count = try check(read(reader, &buffer, buffer.count), "read")
          if count == 0 { return }
          var start = 0
          while start < count {
            start += try buffer.withUnsafeBytes { bytes in
              try check(write(writer, bytes.baseAddress.map { $0 + start }, count - start), "write")
            }
          }
          done += count
          hooks.progress(Double(done) / Double(total))
          if hooks.cancellation.isCancelled { throw CancellationError() }
        }
      }
    }
  }

  private func withDescriptor(
    _ path: String, _ flags: Int32, _ body: (Int32) throws -> Void
  ) throws {
    let descriptor = try check(open(path, flags | O_CLOEXEC, 0o644), "open")
    defer { close(descriptor) }
    try body(descriptor)
  }

  @discardableResult
  private func check<Number: SignedInteger>(_ result: Number, _ call: String) throws -> Number {
    guard result >= 0 else {
      throw ProbeArguments.Mistake(description: "\(call): \(String(cString: strerror(errno)))")
    }
    return result
  }
}

extension Loader.Report {
  fileprivate init(_ result: InstallResult) {
    self.init(name: "", publishing: result.publishMethod?.rawValue ?? "")
    isLocked = result.isLocked
    switch result.outcome {
    case .installed(let method): (name, self.method) = ("installed", method.rawValue)
    case .alreadyCurrent: name = "already-current"
    case .lostRace: name = "lost-race"
    case .kept: name = "kept"
    case .merged: name = "merged"
    case .replaced: name = "replaced"
    case .repaired: name = "repaired"
    @unknown default: name = "\(result.outcome)"
    }
  }
}
