import SeedFormat
import SeedModel
import SeedStore

/// The result of an installation for people and for programs.
enum InstallReport {
  /// `/var/lib/shop/shop.sqlite: installed, copied`.
  ///
  /// - Parameters:
  ///   - result: What was done.
  ///   - stamp: What the installed database says of its seed; nil where it says nothing.
  /// - Returns: One line, without its end.
  static func text(of result: InstallResult, _ stamp: SeedStamp? = nil) -> String {
    let installed = stamp.map { name(SeedIdentity(name: $0.name, version: $0.version)) }
    let words =
      switch result.outcome {
      case .installed(let method): "installed, \(method.rawValue)"
      case .alreadyCurrent:
        "is current\(installed.map { ": it is \($0)" } ?? ""), and the seed brings nothing newer"
      case .lostRace: "was installed by another process"
      case .kept(let newer):
        "kept\(why(result.keptReason, installed)); the seed is \(name(newer))"
          + difference(newer, stamp) + advice(result.keptReason)
      case .replaced(let backup):
        "content replaced; the old one is in \(TerminalText.escaped(backup))"
      case .merged(let rows, let backup):
        "rows merged: \(rows.inserted) inserted, \(rows.updated) updated, \(rows.deleted) deleted, "
          + "\(rows.unchanged) unchanged\(along(rows)); the old content is in \(TerminalText.escaped(backup))"
      case .repaired(let from):
        "installed; what was there is in \(TerminalText.escaped(from))"
      }
    return "\(TerminalText.escaped(result.path)): \(words)"
  }

  /// What the app's foreign keys have done beyond what the seed asks for.
  private static func along(_ rows: MergedRows) -> String {
    guard rows.cascaded > 0 else { return "" }
    return ", \(rows.cascaded) more deleted by ON DELETE CASCADE"
  }

  /// What brings a seed that nobody asked for: whether the other policies do depends on what is
  /// there, which `keep` does not look at.
  private static func advice(_ reason: KeptReason?) -> String {
    reason == .policy
      ? ", which --policy replace brings, merge and replace-if-pristine where what is there allows"
      : ""
  }

  /// What tells a seed from the installed one that has its name and version.
  private static func difference(_ seed: SeedIdentity, _ stamp: SeedStamp?) -> String {
    guard let stamp, seed.name == stamp.name, seed.version == stamp.version,
      let digest = seed.contentSHA256, digest != stamp.contentSHA256
    else { return "" }
    return " with other content, SHA-256 \(digest.prefix(12))… in place of "
      + "\(stamp.contentSHA256.prefix(12))…"
  }

  private static func why(_ reason: KeptReason?, _ installed: String?) -> String {
    switch reason {
    case nil, .policy: installed.map { " as \($0)" } ?? ""
    case .modified: " since it was written to"
    case .otherSeed(let installed): " since it is another seed, \(name(installed))"
    }
  }

  /// Nothing was done, which is easily missed, and rarely what is wanted.
  static func warning(of result: InstallResult, madeFrom installed: SeedIdentity) -> Diagnostic {
    let brought: SeedIdentity =
      if case .kept(let seed) = result.outcome { seed } else { SeedIdentity() }
    return Diagnostic(
      .warning,
      "kept: the installed database was made from another seed, \(name(installed)), and this is "
        + name(brought),
      at: SourceLocation(file: result.path),
      hint: "give both one \"name\" in the project file, or replace the content with "
        + "\"--policy replace\"")
  }

  /// What was done with the copy that the last replacement or merge has kept.
  enum PreviousChange: String {
    case rolledBack = "rolled-back"
    case discarded = "discarded-previous"
  }

  static func text(of change: PreviousChange, at path: String) -> String {
    let words =
      switch change {
      case .rolledBack: "the content from before the last replacement or merge is back"
      case .discarded: "there is no copy of earlier content any more"
      }
    return "\(TerminalText.escaped(path)): \(words)"
  }

  static func json(of change: PreviousChange, at path: String) -> JSONValue {
    ["path": .string(path), "outcome": .string(change.rawValue)]
  }

  /// What a file is that was moved aside: beside a database lie its logs, and copies of its content
  /// under names of their own.
  static func text(ofQuarantined path: String, besides database: String) -> String {
    func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
    return ["-wal", "-shm", "-journal"].contains { name(path) == name(database) + $0 }
      ? "the log of an earlier database was moved aside"
      : "the copy of an earlier database's content was moved aside"
  }

  private static func name(_ seed: SeedIdentity) -> String {
    let name = seed.name.map { TerminalText.escaped($0) } ?? "without a stamp"
    return seed.version.map { "\(name) \(TerminalText.escaped($0))" } ?? name
  }

  private static func because(_ reason: KeptReason?) -> String? {
    switch reason {
    case nil: nil
    case .policy: "policy"
    case .modified: "modified"
    case .otherSeed: "other-seed"
    }
  }

  static func json(of result: InstallResult) -> JSONValue {
    var members: [JSONValue.Member] = [.init("path", .string(result.path))]
    func add(_ outcome: String, _ more: [JSONValue.Member] = []) {
      members.append(.init("outcome", .string(outcome)))
      members += more
    }
    switch result.outcome {
    case .installed(let method): add("installed", [.init("by", .string(method.rawValue))])
    case .alreadyCurrent: add("already-current")
    case .lostRace: add("lost-race")
    case .kept(let newer):
      let seed: JSONValue = [
        "name": .string(newer.name), "version": .string(newer.version),
        "content_sha256": .string(newer.contentSHA256),
        "user_version": .integer(Int64(newer.userVersion)),
      ]
      add(
        "kept", [.init("because", .string(because(result.keptReason))), .init("newer_seed", seed)])
    case .replaced(let backup): add("replaced", [.init("backup", .string(backup))])
    case .merged(let rows, let backup):
      let counts: JSONValue = [
        "inserted": .integer(rows.inserted), "updated": .integer(rows.updated),
        "deleted": .integer(rows.deleted), "cascaded": .integer(rows.cascaded),
        "unchanged": .integer(rows.unchanged),
      ]
      add("merged", [.init("rows", counts), .init("backup", .string(backup))])
    case .repaired(let from): add("repaired", [.init("from", .string(from))])
    }
    members.append(.init("published_by", .string(result.publishMethod?.rawValue)))
    members.append(.init("quarantined", .array(result.quarantined.map { .string($0) })))
    members.append(.init("locked", .bool(result.isLocked)))
    return .object(members)
  }
}
