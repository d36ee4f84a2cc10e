internal import SeedFiles
internal import SeedSQLite

extension SeedError: CustomStringConvertible {
  /// The file, what is wrong and the step, on one line.
  public var description: String { "\(path): \(message) (\(step.rawValue))" }

  /// What is wrong, without the file.
  public var message: String {
    switch reason {
    case .system(let call, let errno):
      "\(FileError(.open, path, code: errno).reason) (\(call))"
    case .database(_, let message): message
    case .notAFileName: "not a usable file name"
    case .nameTooLong(let count, let limit):
      "the name is too long: it has \(count) bytes, more than the \(limit) that leave room for SQLite's \"-journal\""
    case .sourceMissing: "there is no such seed"
    case .manifestMissing: "there is no such manifest"
    case .isDirectory: "is a directory"
    case .isTheSeed: "is the seed itself, which must not be written to"
    case .isSymbolicLink: "is a symbolic link"
    case .notARegularFile: "is not a regular file"
    case .notADatabase(let looksLike): "is not an SQLite database; it looks like \(looksLike)"
    case .wrongSize(let expected, let found):
      "has \(found) bytes instead of \(expected)"
    case .newerFormat(let version): "has file format \(version), which this SQLite does not know"
    case .unfinishedLog(let log): "an unfinished log lies beside it: \"\(log)\""
    case .sourceChanged: "changed while it was copied"
    case .noDigest: "there is no digest to check it by: no manifest comes with it"
    case .wrongDigest(let expected, let found): "has digest \(found) instead of \(expected)"
    case .manifestMismatch(let what, let expected, let found):
      "has \(what) \(found), the manifest says \(expected)"
    case .unusableManifest(let why): "the manifest cannot be read: \(why)"
    case .damagedArchive(let why): "the gzip data is damaged: \(why)"
    case .archiveOfSeveralMembers: "the gzip data has several members, and only one is read"
    case .archiveCutOff(let unpacked, let expected):
      Self.cutOff(unpacked: unpacked, expected: expected)
    case .failedCheck(let finding): "the copy failed its check: \(finding)"
    case .noSpace(let needed, let available):
      "the copy needs \(needed) bytes, the disk has \(available)"
    case .lockTimedOut(let seconds):
      "another process has been installing for more than \(seconds) seconds"
    case .cancelled: "cancelled"
    case .preparationFailed(let why): "the preparation failed: \(why)"
    case .stillOpen(let sibling): "the preparation left the copy open: \"\(sibling)\" is there"
    case .unusableDestination(let why): "the database there cannot be used: \(why)"
    case .encodingDiffers: "has another text encoding than the seed"
    case .mergeRefused(let lines):
      "the seed cannot be merged into it:" + lines.map { "\n  \($0)" }.joined()
    case .keysTaken(let tables):
      "rows of the app's own have keys that the seed brings:"
        + tables.map { "\n  \($0.line)" }.joined()
    case .nothingToRollBack: "there is no earlier content to bring back"
    case .databaseMissing: "there is no such database"
    case .destinationMissing(let backup):
      "there is no database to bring the earlier content back into; it is in \"\(backup)\""
    case .destinationUnusable(let why, let backup):
      "the database there cannot be used: \(why); the earlier content is in \"\(backup)\""
    case .notReadableInPlace(let why): "cannot be used where it is: \(why)"
    }
  }

  private static func cutOff(unpacked: Int64, expected: Int64?) -> String {
    let end = "the gzip data is cut off"
    guard let expected else { return "\(end) after \(unpacked) unpacked bytes" }
    return unpacked == expected
      ? "\(end): the checksum at its end is missing"
      : "\(end): \(unpacked) of \(expected) bytes can be unpacked"
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  public var hint: String? {
    switch reason {
    case .system(_, let errno)
    where step == .lock && FileError(.open, path, code: errno).isForbidden:
      "let this user read and write it (chmod u+rw); it is empty and can also be deleted while nothing "
        + "is being installed"
    case .system(_, let errno): FileError(.open, path, code: errno).hint
    case .database(let code, _) where code & 0xFF == 14:
      "check that this user may read and write the file, its folder, and the files beside it"
    case .database(let code, let message):
      SQLiteError(code: code, message: message, operation: "", path: path).hint
    case .notAFileName: "give the path of a file"
    case .nameTooLong: "give a shorter name"
    case .isDirectory where step == .keepPrevious, .notARegularFile where step == .keepPrevious:
      "move it aside: the name is for the copy of the earlier content"
    case .isDirectory where step == .rollback, .notARegularFile where step == .rollback,
      .isSymbolicLink where step == .rollback:
      "move it aside, and give its name to the copy of the earlier content, if there is one"
    case .sourceMissing: "check the path of the seed, in an app that it is among the resources"
    case .manifestMissing:
      "give the manifest that \"seed build --manifest\" writes, or none to take the one beside the seed"
    case .isDirectory, .notARegularFile: "choose another name"
    case .isTheSeed: "give another path for the copy, or read the seed where it is"
    case .isSymbolicLink: "give the path that the link leads to"
    case .damagedArchive:
      "copy or build the seed again and check how it gets into the app; \"gzip -t\" tests it"
    case .notADatabase where step == .rollback, .wrongSize where step == .rollback,
      .failedCheck where step == .rollback:
      "leave the database as it is; discardPrevious (--discard-previous) deletes the damaged copy"
    case .archiveOfSeveralMembers:
      "pack the database as one member, as \"gunzip -c OLD.gz | gzip > NEW.gz\" does"
    case .notADatabase, .wrongSize, .wrongDigest, .failedCheck:
      "build the seed again and check how it gets into the app"
    case .noDigest:
      "give the manifest that \"seed build --manifest\" writes, or verify \"full\", which needs none"
    case .archiveCutOff: "copy or download the packed seed again, as a whole, or build it again"
    case .newerFormat where step == .probe:
      "open it with a newer SQLite, or move it aside by installing with repair (--repair)"
    case .newerFormat: "build the seed with an older SQLite"
    case .unfinishedLog:
      "open and close the seed once with sqlite3, or switch it with PRAGMA journal_mode = DELETE"
    case .sourceChanged: "do not write to the seed while it is installed"
    case .manifestMismatch, .unusableManifest: "build seed and manifest together"
    case .noSpace: "free some space on the disk"
    case .lockTimedOut: "try again, or end the process that holds the lock"
    case .cancelled, .preparationFailed: nil
    case .stillOpen: "close every connection to the copy before the preparation returns"
    case .unusableDestination:
      "move it aside by installing with repair (--repair), or delete it if nothing in it is needed"
    case .encodingDiffers:
      "keep the installed database, or move it away and install the seed in its place"
    case .mergeRefused where lacksValues:
      "give the column a \"default\" in the seed's project file, or a DEFAULT in a schema of its own "
        + "(\"seed schema > schema.sql\", then \"schema\": \"schema.sql\"); or change the database by a "
        + "migration"
    case .mergeRefused:
      "change what is named, in the database by a migration or in the seed, or replace the content"
    case .keysTaken:
      "give the app's rows other keys, or choose whose rows stay (takenKeys, --taken-keys)"
    case .databaseMissing: "check the path of the database"
    case .destinationUnusable:
      "move the damaged file aside and give the other one its name, or install the seed with repair "
        + "(--repair)"
    case .destinationMissing: "give that file the name of the database, or install the seed anew"
    case .nothingToRollBack: "roll back only what the last installation has replaced"
    case .notReadableInPlace: "install the seed and open the copy"
    }
  }
}

extension TakenRowKeys {
  /// `table "product": 4, 'x' and 3 more`.
  package var line: String {
    let more = count - Int64(keys.count)
    return "table \"\(table)\": \(keys.joined(separator: ", "))"
      + (more > 0 ? " and \(more) more" : "")
  }
}
