internal import SeedFormat
internal import SeedMerge
internal import SeedModel
package import SeedSQLite
internal import SeedStreams

/// Whether a database stands on the history that is published, so that apps that ship it are kept
/// fresh by it.
package struct PublishedHistory {
  private let source: any PublishedSource
  private let head: StreamHead

  /// Reads the head of a published stream.
  ///
  /// - Parameters:
  ///   - source: Where it is.
  ///   - keys: The public keys of which one must have signed the head; none for no signature.
  /// - Throws: ``PublishedSourceError`` when there is none that can be read, or with `notSigned`.
  package init(
    _ source: any PublishedSource, keys: [[UInt8]] = []
  ) throws(PublishedSourceError) {
    self.source = source
    head = try Self.head(in: try source.head(), keys: keys, at: source.place)
  }

  private static func head(
    in bytes: [UInt8], keys: [[UInt8]], at place: String
  ) throws(PublishedSourceError) -> StreamHead {
    do throws(StreamHeadError) {
      return try StreamHead(parsing: bytes, keys: keys)
    } catch {
      if case .notSigned(let bySomebody) = error.reason {
        throw PublishedSourceError(.notSigned(bySomebody: bySomebody), place: place)
      }
      throw PublishedSourceError(.unusable("\(error)"), place: place)
    }
  }

  /// What there is to say of a head that no trusted key has signed.
  ///
  /// - Parameter error: Why the head is not looked at.
  /// - Returns: The finding.
  package static func unsigned(_ error: PublishedSourceError) -> StreamFinding {
    StreamFinding(
      kind: .signature, severity: .error, message: "\(error.message): \(error.place)",
      hint: "publish with --sign and the private key that belongs to the trusted one")
  }

  /// What keeps a database from being kept fresh.
  ///
  /// - Parameter connection: The database.
  /// - Returns: The findings; none when all is well.
  /// - Throws: ``PublishedSourceError``, ``CursorError``.
  package func findings(in connection: Connection) throws -> [StreamFinding] {
    guard let cursor = try CursorTables.cursor(of: head.stream, in: connection) else {
      return [Self.unpositioned("the database has no position in stream \"\(head.stream)\"")]
    }
    return try historyFindings(at: cursor.position)
      + schemaFindings(try CursorTables.tables(of: head.stream, in: connection))
      + objectFindings()
  }

  /// What there is to say of a database that stands nowhere, whatever is published.
  ///
  /// - Parameter message: What is wrong.
  /// - Returns: The finding.
  package static func unpositioned(
    _ message: String = "the database has no position in any stream"
  ) -> StreamFinding {
    StreamFinding(
      kind: .position, severity: .error, message: message,
      hint: "ship the file that \"seed publish\" was given: it writes the position into it")
  }

  // MARK: Where the database stands

  private func historyFindings(at position: StreamPosition) throws -> [StreamFinding] {
    let place = "\(position.epoch)/\(position.seq)"
    if position == head.position { return [] }
    if position.epoch > head.position.epoch
      || position.epoch == head.position.epoch && position.seq > head.position.seq
    {
      return [
        history(
          "the database stands at \(place), the published head is only at \(Self.text(head))",
          hint: "upload what was published, the head last, or wait until caches have it")
      ]
    }
    if position.epoch < head.position.epoch {
      return [
        history(
          "the database stands at \(place), before the history began anew at \(Self.text(head))",
          hint: "ship the database that was published last")
      ]
    }
    guard let id = try publishedID(at: position.seq) else {
      return [
        StreamFinding(
          kind: .history, severity: .warning,
          message: "the database stands at \(place), which is longer ago than what is published: "
            + "apps fetch the whole state",
          hint: "ship the database that was published last")
      ]
    }
    guard id != position.id else { return [] }
    return [
      history(
        "the database stands at \(place) of another history: its id there is \(position.id), "
          + "the published one is \(id)",
        hint: "ship the database that was published, not one published elsewhere")
    ]
  }

  private func history(_ message: String, hint: String) -> StreamFinding {
    StreamFinding(kind: .history, severity: .error, message: message, hint: hint)
  }

  private static func text(_ head: StreamHead) -> String {
    "\(head.position.epoch)/\(head.position.seq)"
  }

  /// The id of a checkpoint by what is published; nil when that does not reach so far back.
  private func publishedID(at seq: Int64) throws -> String? {
    if seq == head.position.seq { return head.position.id }
    if let snapshot = head.snapshot, snapshot.seq == seq { return snapshot.id }
    let covering = head.segments.filter { $0.from <= seq && seq <= $0.to }
    guard let segment = covering.min(by: { $0.size < $1.size }) else { return nil }
    let header = try header(of: segment)
    return header.id(at: seq, isSparse: false)
  }

  /// The most bytes of an object of which the header takes the first.
  private static let headerLimit = 1 << 20

  private func header(of segment: SegmentEntry) throws -> SegmentHeader {
    let packed = try source.start(of: segment.sha256, limit: Self.headerLimit)
    var plain = [UInt8](repeating: 0, count: Self.headerLimit * 2)
    let inflation = GzipInflation()
    let given = packed.withUnsafeBytes { input in
      plain.withUnsafeMutableBytes { inflation.inflate(input, into: $0).given }
    }
    let end = plain[..<given].firstIndex(of: 0x0A) ?? 0
    do throws(SegmentError) {
      let result = plain[..<end].withUnsafeMutableBufferPointer { line in
        Result { () throws(SegmentError) in try SegmentHeader(line: line) }
      }
      return try result.get()
    } catch {
      throw PublishedSourceError(
        .unusable("object \(segment.sha256.prefix(12)) is no segment: \(error)"),
        place: source.place)
    }
  }

  // MARK: What the stream brings

  private func schemaFindings(_ declared: [DeclaredTable]) -> [StreamFinding] {
    var findings: [StreamFinding] = []
    func add(_ table: String, _ message: String) {
      findings.append(
        StreamFinding(
          kind: .schema, severity: .error, message: message,
          hint: "publish the database that has it, or build without it", table: table))
    }
    for table in declared {
      guard let published = head.tables.first(where: { $0.name == table.name }) else {
        add(table.name, "the stream does not bring table \"\(table.name)\"")
        continue
      }
      let known = Set(published.columns.map(\.name))
      for column in table.columns where !known.contains(column) {
        add(
          table.name,
          "the stream does not bring column \"\(column)\" of table \"\(table.name)\"")
      }
      if published.key != table.key {
        add(
          table.name, "the stream tells the rows of table \"\(table.name)\" apart by other columns")
      }
    }
    return findings
  }

  // MARK: What is there

  private func objectFindings() throws(PublishedSourceError) -> [StreamFinding] {
    var findings: [StreamFinding] = []
    var objects = head.segments.map { ($0.sha256, $0.size) }
    if let snapshot = head.snapshot { objects.append((snapshot.sha256, snapshot.size)) }
    for (sha256, size) in objects {
      let found = try source.size(of: sha256)
      // Some servers do not say.
      if found == size || found == -1 { continue }
      let problem = found.map { "has \($0) bytes instead of \(size)" } ?? "is not there"
      findings.append(
        StreamFinding(
          kind: .object, severity: .error,
          message: "\(StreamLayout.object(sha256)), which the head names, \(problem)",
          hint: "upload the objects again, and the head after them"))
    }
    return findings
  }
}
