internal import SeedFiles
internal import SeedModel
internal import SeedStreams

/// A stream's folder as a publisher left it; read anew for each request.
internal struct PublishedStream: Sendable {
  /// The stream's folder.
  internal let folder: String
  internal let files: FileSystem

  internal init(folder: String, files: FileSystem) {
    self.folder = folder
    self.files = files
  }

  private var headPath: String { "\(folder)/\(StreamLayout.head)" }

  /// What the head's file looks like from outside; another one after each publish.
  internal func version() throws -> FileStatus? { try files.status(headPath) }

  /// The head; nil if there is no such stream.
  ///
  /// - Throws: ``FileError``, or what is wrong with its text.
  internal func head() throws -> PublishedHead? {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try files.bytes(of: headPath, limit: StaticFiles.headByteLimit)
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
    let json = try JSONValue(parsing: bytes)
    let document = try SignedHead.payload(of: json, keys: []) ?? json
    return PublishedHead(head: try StreamHead(json: document), document: document)
  }

  /// The text of a segment.
  ///
  /// - Throws: ``FileError``, also where there is no such object.
  internal func segment(_ sha256: String) throws -> StoredLines {
    try StoredLines(path: "\(folder)/\(StreamLayout.object(sha256))", files: files)
  }
}

/// A head as it is understood and as it is written.
internal struct PublishedHead: Sendable {
  internal var head: StreamHead
  internal var document: JSONValue

  /// The listed segment that leads furthest from a checkpoint; nil if none covers it.
  internal func segment(after seq: Int64) -> SegmentEntry? {
    head.segments.filter { $0.from <= seq && seq < $0.to }.max { $0.to < $1.to }
  }

  /// The listed segments that lead from a checkpoint to the head, as the head writes them; nil if
  /// there is a gap.
  internal func way(from seq: Int64) -> [JSONValue]? {
    var seq = seq
    var way: [JSONValue] = []
    let listed = document["segments"]?.arrayValue ?? []
    while seq < head.position.seq {
      guard let entry = segment(after: seq),
        let written = listed.first(where: { $0["sha256"]?.stringValue == entry.sha256 })
      else { return nil }
      way.append(written)
      seq = entry.to
    }
    return way
  }
}
