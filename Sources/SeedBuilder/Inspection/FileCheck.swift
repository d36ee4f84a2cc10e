import SeedFormat

/// Checks what can be seen from outside: the header, the size, and the files beside a database.
struct FileCheck {
  var file: DatabaseFile
  var header: DatabaseHeader

  /// What is wrong with the file.
  func findings() -> [Finding] {
    [sizeFinding, walModeFinding, walFileFinding, journalFinding].compactMap(\.self)
  }

  private var sizeFinding: Finding? {
    guard header.hasValidPageSize else {
      return Finding(
        .damagedHeader, "the header states a page size of \(header.pageSize) bytes",
        hint: Verification.rebuild)
    }
    let pageSize = Int64(header.pageSize)
    guard let pageCount = header.pageCount else {
      guard !file.byteCount.isMultiple(of: pageSize) else { return nil }
      return Finding(
        .truncated,
        "the file has \(file.byteCount) bytes, which is no multiple of its page size \(pageSize)",
        hint: Verification.rebuild)
    }
    let expected = pageCount * pageSize
    if file.byteCount < expected {
      return Finding(
        .truncated,
        "the file is cut off: it has \(file.byteCount) bytes of \(expected) "
          + "(\(pageCount) pages of \(pageSize))",
        hint: "copy or download it again")
    }
    if file.byteCount > expected {
      return Finding(
        .trailingBytes,
        "the file has \(file.byteCount - expected) bytes after its last page "
          + "(\(pageCount) pages of \(pageSize))",
        hint: "copy or download it again, or rewrite it with \"VACUUM\"")
    }
    return nil
  }

  private var walModeFinding: Finding? {
    guard header.isWriteAheadLogging else { return nil }
    return Finding(
      .walMode, "the database is in WAL mode, which read-only places cannot open",
      hint: "run \"PRAGMA journal_mode = DELETE\" on it")
  }

  private var walFileFinding: Finding? {
    guard let byteCount = file.writeAheadLogByteCount else { return nil }
    let name = "\(file.path)-wal"
    if byteCount == 0 {
      return Finding(
        .walFile, "an empty log \"\(name)\" lies beside the database",
        hint: "close every program that uses the database, then delete it")
    }
    return Finding(
      .walFile, "changes are in \"\(name)\" and not in the database itself",
      hint: "close every program that uses the database, "
        + "then run \"PRAGMA wal_checkpoint(TRUNCATE)\" on it")
  }

  private var journalFinding: Finding? {
    guard let byteCount = file.journalByteCount else { return nil }
    let name = "\(file.path)-journal"
    if byteCount == 0 {
      return Finding(
        .journalFile, "an empty journal \"\(name)\" lies beside the database",
        hint: "close every program that uses the database, then delete it")
    }
    return Finding(
      .journalFile, "\"\(name)\" is left of an unfinished change",
      hint: "open the database for writing with the \"sqlite3\" shell, which undoes the change")
  }
}
