internal import SeedModel
internal import SeedTransport

/// Walks through the answer to a request for tables and hands its parts over.
///
/// `[{"name": …, "data": [rows]}, {"name": …, "insert_rows": [rows], "delete_ids": [ids]}]`, with the
/// members of a table in any order; other members are passed over.
internal struct AnswerReader {
  /// The lists of a table.
  internal enum Part: String, CaseIterable {
    case data, deleteIDs = "delete_ids", insertRows = "insert_rows"
  }

  /// Reads bytes of the document from an offset on.
  internal let read: ByteWindow.Reading
  /// What the resource is called, for messages.
  internal let resource: String

  /// Takes the part of a table that begins at a scanner's position, to its end.
  internal typealias Taking = (_ table: String, Part, inout JSONScanner) throws -> Void

  internal init(resource: String, read: @escaping ByteWindow.Reading) {
    self.resource = resource
    self.read = read
  }

  /// Reads the whole document.
  ///
  /// - Parameters:
  ///   - take: Takes the parts of each table: its data, or first what is deleted and then what is
  ///     inserted, wherever they stand.
  ///   - finish: Called at the end of each table with the parts that it has.
  /// - Throws: ``HyperHiveError``; ``JSONProblem`` where the document ends early; what the closures
  ///   throw.
  internal func run(
    take: Taking, finish: (_ table: String, Set<Part>) throws -> Void
  ) throws {
    var scanner = JSONScanner(read)
    do {
      try checkStart(&scanner)
      guard
        try scanner.opensList(UInt8(ascii: "["), UInt8(ascii: "]"), "a list of tables")
      else {
        try scanner.takeEnd()
        return
      }
      var seen: Set<String> = []
      repeat {
        try readTable(&scanner, &seen, take: take, finish: finish)
      } while try scanner.takesNext(before: UInt8(ascii: "]"))
      try scanner.takeEnd()
    } catch let problem as JSONProblem where problem.reason != .endsEarly {
      throw HyperHiveError(
        .malformedAnswer("\(problem.message) (byte \(problem.offset))"), place: resource)
    }
  }

  /// Whether the document is a list, whatever stands in it.
  internal var isList: Bool {
    var scanner = JSONScanner(read)
    return (try? scanner.peek()) == UInt8(ascii: "[")
  }

  /// Passes over the whole document.
  ///
  /// - Throws: ``JSONProblem``, among them that it ends early.
  internal func check() throws {
    var scanner = JSONScanner(read)
    try scanner.skipValue()
    try scanner.takeEnd()
  }

  /// Recognises what servers and proxies send in place of data.
  private func checkStart(_ scanner: inout JSONScanner) throws {
    switch try scanner.peek() {
    case UInt8(ascii: "<"): throw HyperHiveError(.webPage, place: resource)
    case UInt8(ascii: "{"):
      let start = scanner.offset
      try scanner.skipValue()
      throw HyperHiveError(
        .malformedAnswer("found an object in place of a list of tables (byte \(start))"),
        place: resource)
    default: break
    }
  }

  private func readTable(
    _ scanner: inout JSONScanner, _ seen: inout Set<String>, take: Taking,
    finish: (String, Set<Part>) throws -> Void
  ) throws {
    let start = scanner.offset
    var name: String?
    var members: Set<String> = []
    var done: Set<Part> = []
    var waiting: [Part: Int64] = [:]
    if try scanner.opensList(UInt8(ascii: "{"), UInt8(ascii: "}"), "a table") {
      repeat {
        let place = scanner.offset
        let member = try scanner.memberName()
        guard members.insert(member).inserted else {
          throw error("the member \"\(member)\" stands twice", name, place)
        }
        guard let part = Part(rawValue: member) else {
          if member == "name" {
            name = try tableName(&scanner, &seen)
          } else {
            try scanner.skipValue()
          }
          continue
        }
        if part == .data, let name {
          try take(name, part, &scanner)
          done.insert(part)
        } else {
          // Read later: nobody knows yet which table it is, or what has to come before it.
          _ = try scanner.peek()
          waiting[part] = scanner.offset
          try scanner.skipValue()
        }
      } while try scanner.takesNext(before: UInt8(ascii: "}"))
    }
    guard let name else { throw error("a table has no \"name\"", nil, start) }
    for part in Part.allCases {
      guard let offset = waiting[part] else { continue }
      var scanner = JSONScanner(at: offset, read)
      try take(name, part, &scanner)
      done.insert(part)
    }
    guard !done.isEmpty else {
      throw error("the table has neither rows nor changes", name, start)
    }
    guard !done.contains(.data) || done.count == 1 else {
      throw error("the table has both rows and changes", name, start)
    }
    try finish(name, done)
  }

  private func tableName(
    _ scanner: inout JSONScanner, _ seen: inout Set<String>
  ) throws -> String {
    let place = scanner.offset
    guard try scanner.peek() == UInt8(ascii: "\"") else {
      throw error("the name of a table is no string", nil, place)
    }
    let name = try scanner.text()
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw error("a table has an unusable name", nil, place)
    }
    guard seen.insert(name.lowercased()).inserted else {
      throw error("the table stands twice in the answer", name, place)
    }
    return name
  }

  private func error(_ message: String, _ table: String?, _ offset: Int64) -> HyperHiveError {
    HyperHiveError(
      .malformedAnswer("\(message) (byte \(offset))"),
      place: table.map { "table \"\($0)\"" } ?? resource)
  }
}

/// What a server says about why it refuses: `{"code": 401, "description": "Unauthorized"}`, with a
/// status that says so or with 200.
internal struct HyperHiveRefusal {
  internal var code: Int
  internal var description: String

  /// Nil for bytes that say nothing of the kind.
  internal init?(_ bytes: [UInt8]) {
    guard
      case .success(let json) = Result(catching: { () throws(JSONError) in
        try JSONValue(parsing: bytes)
      }),
      let description = json["description"]?.stringValue,
      let code = json["code"]?.integerValue.flatMap({ Int(exactly: $0) })
    else { return nil }
    self.code = code
    self.description = description
  }

  /// The error that it is; a server may repeat what was wrong, the password too.
  internal func error(of request: HTTPRequest) -> HyperHiveError {
    HyperHiveError(
      .refused(code: code, description: request.redaction.shown(description)),
      place: request.shownURL)
  }
}
