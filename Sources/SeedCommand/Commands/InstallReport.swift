import SeedModel
import SeedStore

/// The result of an installation for people and for programs.
enum InstallReport {
  /// `/var/lib/shop/shop.sqlite: installed, copied`.
  static func text(of result: InstallResult) -> String {
    let words =
      switch result.outcome {
      case .installed(let method): "installed, \(method.rawValue)"
      case .alreadyCurrent: "is current, with this seed's content or a newer one's"
      case .lostRace: "was installed by another process"
      case .kept(let newer): "kept; the seed is \(name(newer))"
      case .replaced(let backup):
        "content replaced; the old one is in \(TerminalText.escaped(backup))"
      case .merged(let rows, let backup):
        "rows merged: \(rows.inserted) inserted, \(rows.updated) updated, \(rows.deleted) deleted, "
          + "\(rows.unchanged) unchanged; the old content is in \(TerminalText.escaped(backup))"
      case .repaired(let from):
        "installed; what was there is in \(TerminalText.escaped(from))"
      }
    return "\(TerminalText.escaped(result.path)): \(words)"
  }

  private static func name(_ seed: SeedIdentity) -> String {
    let name = seed.name.map { TerminalText.escaped($0) } ?? "without a stamp"
    return seed.version.map { "\(name) \(TerminalText.escaped($0))" } ?? name
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
      add("kept", [.init("newer_seed", seed)])
    case .replaced(let backup): add("replaced", [.init("backup", .string(backup))])
    case .merged(let rows, let backup):
      let counts: JSONValue = [
        "inserted": .integer(rows.inserted), "updated": .integer(rows.updated),
        "deleted": .integer(rows.deleted), "unchanged": .integer(rows.unchanged),
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
