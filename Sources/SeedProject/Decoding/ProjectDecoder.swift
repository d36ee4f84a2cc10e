internal import SeedModel

/// Makes a project of what its file says.
struct ProjectDecoder {
  let log: ErrorLog

  /// Reads the whole file; what is wrong is in the log.
  func project(_ json: LocatedJSON, path: String) -> Project {
    var project = Project(path: path)
    guard let reader = ObjectReader(json, .project, log: log) else {
      return project
    }
    _ = reader.text("$schema")
    project.name = reader.text("name")
    project.version = reader.text("version")
    project.output = filePath("output", of: reader)
    project.schema = filePath("schema", of: reader)
    project.sources = sources(of: reader)
    project.references = references(of: reader)
    project.indexes = indexes(of: reader)
    project.owned = owned(of: reader)
    project.streams = streams(of: reader)
    project.userVersion = reader.integer("userVersion")
    project.applicationID = applicationID(of: reader)
    project.pragmas = pragmas(of: reader)
    project.dateFormat = reader.text("dateFormat")
    project.timeZone = reader.text("timeZone")
    project.ignoresExtra = reader.flag("ignoreExtra")?.value ?? false
    project.analyzes = reader.flag("analyze")?.value ?? false
    return project
  }

  /// A path of a file; the standard streams have none.
  func filePath(_ key: String, of reader: ObjectReader) -> Located<String>? {
    guard let path = reader.text(key), let json = reader.value(key) else { return nil }
    guard path.value != "-" else {
      reader.refuse(json, key, hint: "name a file; \"./-\" is a file of that name")
      return nil
    }
    guard !path.value.unicodeScalars.contains("\0") else {
      reader.refuse(json, key, hint: "name a file; no path has a NUL in it")
      return nil
    }
    return path
  }

  private func applicationID(of reader: ObjectReader) -> Located<Int32>? {
    let key = "applicationID"
    guard let json = reader.value(key) else { return nil }
    switch json.value {
    case .integer: return reader.integer(key)
    case .string(let text):
      // The four bytes as SQLite stores them at offset 68 of the file, the first one highest.
      guard text.utf8.count == 4, text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else {
        reader.refuse(json, key, hint: "use four ASCII characters such as \"Seed\", or a number")
        return nil
      }
      return Located(text.utf8.reduce(0) { $0 << 8 | Int32($1) }, at: json.location)
    default:
      log.addType(of: json, key, expected: "a whole number or four characters")
      return nil
    }
  }

  // MARK: Pragmas

  private func pragmas(of reader: ObjectReader) -> [PragmaRule] {
    guard let json = reader.value("pragmas"),
      let pragmas = ObjectReader(json, .pragmas, key: "pragmas", log: log)
    else { return [] }
    return json.members.compactMap { member in
      guard let allowed = ProjectDecoder.pragmaValues[member.name.value] else { return nil }
      guard allowed.values.contains(member.value.plain) else {
        pragmas.refuse(member.value, member.name.value, hint: allowed.hint)
        return nil
      }
      return PragmaRule(name: member.name, value: member.value.plain)
    }
  }

  /// What the pragmas may be: those that are stored in the file and change nothing else.
  private static let pragmaValues: [String: (values: [JSONValue], hint: String)] = [
    "page_size": (
      (9...16).map { .integer(1 << $0) }, "use a power of two from 512 to 65536"
    ),
    "auto_vacuum": (
      ["none", "full", "incremental"], "use \"none\", \"full\" or \"incremental\""
    ),
    "encoding": (["UTF-8"], "use \"UTF-8\", the only encoding that seed writes"),
    "journal_mode": (
      ["delete"], "use \"delete\": a database in WAL mode cannot be opened in a read-only bundle"
    ),
  ]
}
