internal import SeedBuilder
internal import SeedFormat
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Checks what a store says about itself: the row of `Z_METADATA`.
struct MetadataCheck {
  /// What is wrong.
  private(set) var findings: [Finding] = []
  /// The store's UUID, if it can be read.
  private(set) var uuid: String?
  /// The members of the property list, as far as it can be read.
  private(set) var members: [String: PropertyList] = [:]

  /// The newest way of computing hashes that is known.
  private static let newestHashesVersion: Int64 = 3
  private static let advice =
    "build the store again, or let the app write it: without this row Core Data does not open it"

  /// Reads and checks the row.
  ///
  /// - Throws: ``SQLiteError``.
  init(_ catalog: StoreCatalog, _ connection: Connection) throws(SQLiteError) {
    let name = StoreMetadata.tableName
    guard let table = catalog.table(name) else {
      report("there is no table \"\(name)\"")
      return
    }
    let missing = ["Z_VERSION", "Z_UUID", "Z_PLIST"].filter { table.column($0) == nil }
    guard missing.isEmpty else {
      report(
        "table \"\(name)\" has no column \(missing.map { "\"\($0)\"" }.joined(separator: ", "))")
      return
    }
    let rows = try connection.rows("SELECT Z_UUID, Z_PLIST, Z_VERSION FROM \(name) LIMIT 2")
    guard let row = rows.first, rows.count == 1 else {
      let count = try connection.scalarInteger("SELECT count(*) FROM \(name)") ?? 0
      report(
        "table \"\(name)\" has \(count == 0 ? "no row" : "\(count) rows"), and one is needed",
        hint: count == 0 ? Self.advice : "delete all rows but the one that belongs to the store")
      return
    }
    if row[2] != .integer(1) {
      let version = try connection.scalarText("SELECT quote(Z_VERSION) FROM \(name)") ?? "NULL"
      report(
        "\"Z_VERSION\" is \(version), and 1 in every store that Core Data writes",
        hint: "run: UPDATE \(name) SET Z_VERSION = 1;")
    }
    readUUID(row[0])
    readList(row[1])
    if !members.isEmpty { checkMembers() }
  }

  private mutating func report(
    _ message: String, severity: Diagnostic.Severity = .error, hint: String = Self.advice
  ) {
    var finding = Finding(.storeMetadata, severity, message, hint: hint)
    finding.table = StoreMetadata.tableName
    findings.append(finding)
  }

  private mutating func readUUID(_ value: SQLiteValue) {
    let digits = Set("0123456789ABCDEFabcdef")
    guard case .text(let text) = value,
      text.split(separator: "-", omittingEmptySubsequences: false).map(\.count)
        == [8, 4, 4, 4, 12], text.allSatisfy({ $0 == "-" || digits.contains($0) })
    else {
      report("the store has no UUID: \"Z_UUID\" is not one", hint: "set a UUID in capitals")
      return
    }
    uuid = text
  }

  private mutating func readList(_ value: SQLiteValue) {
    guard case .blob(let bytes) = value else {
      report("the store has no property list: \"Z_PLIST\" is no BLOB")
      return
    }
    do {
      switch try PropertyListDocument.read(bytes, name: "Z_PLIST") {
      case .dictionary(let members): self.members = members
      default: report("the property list in \"Z_PLIST\" is no dictionary")
      }
      if members.isEmpty, findings.isEmpty {
        report("the property list in \"Z_PLIST\" is empty")
      }
    } catch let error as InputError {
      report("the property list in \"Z_PLIST\" cannot be read: \(error.diagnostic.message)")
    } catch {
      report("the property list in \"Z_PLIST\" cannot be read: \(error)")
    }
  }

  private mutating func checkMembers() {
    if let type = members["NSStoreType"], type != .string("SQLite") {
      report("the metadata says that the store is of another type than SQLite")
    }
    let version = members["NSStoreModelVersionHashesVersion"]?.integer
    if let version, version > Self.newestHashesVersion {
      report(
        "the version hashes are of version \(version), and Core Data knows "
          + "\(Self.newestHashesVersion) at most",
        hint: "build the store again, with hashes of version \(Self.newestHashesVersion)")
    } else if version == nil {
      report("the metadata does not say of which version the version hashes are")
    }
    guard let hashes else {
      report("the metadata has no version hashes of entities")
      return
    }
    let broken = hashes.filter { $0.value.count != 32 }.keys.sorted()
    if let first = broken.first {
      report(
        "the version hash of \"\(first)\" has not 32 bytes"
          + (broken.count > 1 ? ", nor have those of \(broken.count - 1) more" : ""))
    } else if version == Self.newestHashesVersion {
      checkDigests(EntityHashes(hashes))
    }
  }

  /// The version hashes by the names of the entities; nil if there are none.
  var hashes: [String: [UInt8]]? {
    members["NSStoreModelVersionHashes"]?.dictionary?.compactMapValues(\.data)
  }

  private mutating func checkDigests(_ hashes: EntityHashes) {
    for (key, digest) in [
      ("NSStoreModelVersionHashesDigest", hashes.digest),
      ("NSStoreModelVersionChecksumKey", hashes.checksum),
    ] {
      guard let stated = members[key]?.string, stated != digest else { continue }
      report("\"\(key)\" does not go with the version hashes", hint: "build the store again")
    }
  }
}
