internal import SeedModel
internal import SeedTransport

/// What a dynamic server says that cannot lead on from a position (410): where a whole state is.
internal struct ResetDocument: Sendable {
  /// The most bytes of such a document.
  internal static let byteLimit = 4 << 20

  internal var reason: ResetReason
  internal var epoch: Int64
  internal var snapshot: SnapshotEntry?
  /// Where the snapshot lies, relative to the endpoint.
  internal var snapshotReference: String?
  /// The newest position, where the server tells it with the segments that lead there.
  internal var head: StreamPosition?
  internal var segments: [SegmentEntry] = []
  /// The folder of the segments, relative to the endpoint.
  internal var base: String?
  /// The tables that the server carries; empty where it does not say.
  internal var tables: [StreamTable] = []

  /// Reads a document.
  ///
  /// - Throws: ``StreamHeadError``.
  internal init(parsing bytes: [UInt8]) throws(StreamHeadError) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw StreamHeadError(.malformed("\(error)"))
    }
    guard json["type"]?.stringValue == "urn:seed:problem:reset" else {
      throw StreamHeadError(.member("type"))
    }
    let reader = HeadReader(json, path: "")
    // A reason that is not known does not change what is to be done.
    reason = json["reason"]?.stringValue.flatMap { ResetReason(rawValue: $0) } ?? .retention
    epoch = try reader.integer("epoch")
    snapshot = try reader.snapshot()
    snapshotReference = json["snapshot"]?["url"]?.stringValue
    if json["seq"] != nil {
      head = StreamPosition(
        epoch: epoch, seq: try reader.integer("seq"), id: try reader.identifier("id"))
    }
    base = json["base"]?.stringValue
    if json["segments"] != nil, base != nil { segments = try reader.segments() }
    if json["schema"] != nil { tables = try reader.tables() }
  }

  /// The segments that lead from the snapshot to the newest position; nil where they do not.
  internal var tail: [SegmentEntry]? {
    guard let snapshot, let head else { return nil }
    return StreamPath.segments(
      from: snapshot.seq,
      in: StreamHead(
        stream: "", position: head, tables: [], snapshot: snapshot, segments: segments))
  }
}
