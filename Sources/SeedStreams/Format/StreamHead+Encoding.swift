package import SeedModel

extension StreamHead {
  /// The text of `head.json`: JSON with a line for each member and each segment, the same for the
  /// same head.
  package var encoded: [UInt8] {
    var members: [(name: String, value: JSONValue)] = [
      ("format", .integer(Self.currentFormat)),
      ("stream", .string(stream)),
      ("epoch", .integer(position.epoch)),
      ("seq", .integer(position.seq)),
      ("id", .string(position.id)),
    ]
    if let time { members.append(("time", .string(time))) }
    if let pollAfterSeconds { members.append(("poll_after", .integer(pollAfterSeconds))) }
    members.append(("schema", Self.schema(tables, required)))
    if let snapshot { members.append(("snapshot", Self.json(of: snapshot))) }
    members.append(("segments", .array(segments.map { Self.json(of: $0) })))
    if !retired.isEmpty {
      members.append(
        (
          "retired",
          .array(
            retired.map { ["sha256": .string($0.sha256), "since": .string($0.since)] })
        ))
    }
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (index, member) in members.enumerated() {
      bytes += Array((index == 0 ? "\n" : ",\n").utf8)
      JSONBytes.appendString(member.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      Self.appendByLines(member.value, to: &bytes)
    }
    return bytes + Array("\n}\n".utf8)
  }

  /// A list with a line for each element; all else on one line.
  private static func appendByLines(_ value: JSONValue, to bytes: inout [UInt8]) {
    guard case .array(let elements) = value, !elements.isEmpty else {
      JSONBytes.append(value, to: &bytes)
      return
    }
    for (index, element) in elements.enumerated() {
      bytes += Array((index == 0 ? "[\n" : ",\n").utf8)
      JSONBytes.append(element, to: &bytes)
    }
    bytes += Array("\n]".utf8)
  }

  private static func schema(
    _ tables: [StreamTable], _ required: [String: Set<String>]
  ) -> JSONValue {
    .object(
      tables.map { table in
        var members = [
          JSONValue.Member("key", .array(table.key.map { .string($0) })),
          JSONValue.Member(
            "columns",
            .object(table.columns.map { JSONValue.Member($0.name, .string($0.affinity)) })),
        ]
        if let names = required[table.name], !names.isEmpty {
          members.append(
            JSONValue.Member("not_null", .array(names.sorted().map { .string($0) })))
        }
        return JSONValue.Member(table.name, .object(members))
      })
  }

  /// A snapshot as the head lists it.
  ///
  /// - Parameter snapshot: The entry.
  /// - Returns: The object of the document.
  package static func json(of snapshot: SnapshotEntry) -> JSONValue {
    [
      "seq": .integer(snapshot.seq), "id": .string(snapshot.id),
      "sha256": .string(snapshot.sha256), "size": .integer(snapshot.size),
      "plain_size": .integer(snapshot.plainSize), "encoding": "gzip",
    ]
  }

  /// A segment as the head lists it.
  ///
  /// - Parameter segment: The entry.
  /// - Returns: The object of the document.
  package static func json(of segment: SegmentEntry) -> JSONValue {
    [
      "from": .integer(segment.from), "to": .integer(segment.to),
      "sha256": .string(segment.sha256), "size": .integer(segment.size),
      "plain_size": .integer(segment.plainSize), "rows": .integer(segment.rows),
    ]
  }
}
