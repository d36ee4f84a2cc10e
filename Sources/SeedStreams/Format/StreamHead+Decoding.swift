package import SeedModel

/// Why a head, or a line of the same shape, cannot be taken.
package struct StreamHeadError: Error, Sendable, Hashable {
  /// The kinds of failure.
  package enum Reason: Sendable, Hashable {
    /// It is no JSON, perhaps because it was cut off.
    case malformed(String)
    /// It is of a format that this version does not know.
    case format(Int64)
    /// A member is missing, or is not what it has to be.
    case member(String)
    /// No trusted key has signed it, though perhaps somebody else has.
    case notSigned(bySomebody: Bool)
  }

  package var reason: Reason

  /// An error from its reason.
  package init(_ reason: Reason) {
    self.reason = reason
  }
}

extension StreamHeadError: CustomStringConvertible {
  /// What is wrong.
  package var description: String {
    switch reason {
    case .malformed(let words): "the head is no JSON: \(words)"
    case .format(let number): "the head is of format \(number)"
    case .member(let path): "\"\(path)\" in the head is missing or malformed"
    case .notSigned: "the head is not signed with a trusted key"
    }
  }
}

extension StreamHead {
  /// The most bytes of a head that are read.
  package static let byteLimit = 4 << 20
  /// The most segments that a head may list; publishers list at most 64.
  package static let segmentLimit = 1024

  /// Reads a head; members that are not known are passed over.
  ///
  /// A signature around it is not checked: that is for those who know whom to trust.
  ///
  /// - Parameter bytes: The JSON document.
  /// - Throws: ``StreamHeadError``.
  package init(parsing bytes: [UInt8]) throws(StreamHeadError) {
    try self.init(parsing: bytes, keys: [])
  }

  /// Reads a head that one of some keys must have signed.
  ///
  /// - Parameters:
  ///   - bytes: The JSON document.
  ///   - keys: The public keys; without any, no signature is asked for.
  /// - Throws: ``StreamHeadError``, with `notSigned` when none of the keys has signed it.
  package init(parsing bytes: [UInt8], keys: [[UInt8]]) throws(StreamHeadError) {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw StreamHeadError(.malformed("\(error)"))
    }
    guard let payload = try SignedHead.payload(of: document, keys: keys) else {
      throw StreamHeadError(.notSigned(bySomebody: SignedHead.isSigned(document)))
    }
    try self.init(json: payload)
  }

  /// Reads a head from its parsed form.
  ///
  /// - Parameter json: The document.
  /// - Throws: ``StreamHeadError``.
  package init(json: JSONValue) throws(StreamHeadError) {
    let document = HeadReader(json, path: "")
    let format = try document.integer("format")
    guard format == Self.currentFormat else { throw StreamHeadError(.format(format)) }
    let position = StreamPosition(
      epoch: try document.integer("epoch"), seq: try document.integer("seq"),
      id: try document.identifier("id"))
    let segments = try document.segments()
    let snapshot = try document.snapshot()
    for (index, entry) in segments.enumerated() where entry.to > position.seq {
      throw StreamHeadError(.member("segments[\(index)].to"))
    }
    if let snapshot, snapshot.seq > position.seq { throw StreamHeadError(.member("snapshot.seq")) }
    self.init(
      stream: try document.text("stream"), position: position,
      time: json["time"]?.stringValue,
      pollAfterSeconds: json["poll_after"]?.integerValue.map { max(0, $0) },
      tables: try document.tables(), snapshot: snapshot,
      segments: segments.sorted { ($0.to, $0.from) < ($1.to, $1.from) },
      retired: document.retired())
    required = document.required()
  }
}

/// Reads members by their names and says which is wrong.
package struct HeadReader {
  private let json: JSONValue
  private let path: String

  /// A reader of an object that stands at a path, for messages.
  package init(_ json: JSONValue, path: String) {
    self.json = json
    self.path = path
  }

  private func wrong(_ name: String) -> StreamHeadError {
    StreamHeadError(.member(path.isEmpty ? name : "\(path).\(name)"))
  }

  /// An integer.
  ///
  /// - Throws: ``StreamHeadError``.
  package func integer(_ name: String) throws(StreamHeadError) -> Int64 {
    guard let value = json[name]?.integerValue else { throw wrong(name) }
    return value
  }

  /// An integer that counts something.
  ///
  /// - Throws: ``StreamHeadError``.
  package func count(_ name: String) throws(StreamHeadError) -> Int64 {
    let value = try integer(name)
    guard value >= 0 else { throw wrong(name) }
    return value
  }

  /// The most bytes of an object: no SQLite database can have more, nor the changes in one.
  private static let objectByteLimit: Int64 = 281_474_976_579_584
  /// How many times as long as its packed form a text can be, as DEFLATE has it.
  private static let packingRatio: Int64 = 1032

  /// The length of an object.
  ///
  /// - Throws: ``StreamHeadError``.
  package func byteCount(_ name: String) throws(StreamHeadError) -> Int64 {
    let value = try count(name)
    guard value <= Self.objectByteLimit else { throw wrong(name) }
    return value
  }

  /// The length of what is packed in an object, which cannot be any number: room for it is asked of
  /// the disk before a byte of it has come.
  ///
  /// - Throws: ``StreamHeadError``.
  package func plainSize() throws(StreamHeadError) -> Int64 {
    let value = try byteCount("plain_size")
    guard value / Self.packingRatio <= (try byteCount("size")) else { throw wrong("plain_size") }
    return value
  }

  /// A text that is not empty.
  ///
  /// - Throws: ``StreamHeadError``.
  package func text(_ name: String) throws(StreamHeadError) -> String {
    guard let value = json[name]?.stringValue, !value.isEmpty else { throw wrong(name) }
    return value
  }

  /// The id of a checkpoint.
  ///
  /// - Throws: ``StreamHeadError``.
  package func identifier(_ name: String) throws(StreamHeadError) -> String {
    let value = try text(name)
    guard value.utf8.count <= 128 else { throw wrong(name) }
    return value
  }

  /// A SHA-256 in hexadecimal digits, from which the path of an object is made: nothing else gets
  /// through.
  ///
  /// - Throws: ``StreamHeadError``.
  package func sha256(_ name: String) throws(StreamHeadError) -> String {
    let value = try text(name)
    let isDigest =
      value.utf8.count == 64
      && value.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isDigest else { throw wrong(name) }
    return value
  }

  /// The member `segments`, a list.
  ///
  /// - Throws: ``StreamHeadError``.
  package func segments() throws(StreamHeadError) -> [SegmentEntry] {
    guard let list = json["segments"]?.arrayValue, list.count <= StreamHead.segmentLimit else {
      throw wrong("segments")
    }
    var entries: [SegmentEntry] = []
    for (index, element) in list.enumerated() {
      let reader = HeadReader(element, path: "segments[\(index)]")
      let entry = SegmentEntry(
        from: try reader.integer("from"), to: try reader.integer("to"),
        sha256: try reader.sha256("sha256"), size: try reader.byteCount("size"),
        plainSize: try reader.plainSize(), rows: try reader.count("rows"))
      guard entry.from < entry.to else { throw reader.wrong("to") }
      entries.append(entry)
    }
    return entries
  }

  /// The member `snapshot`, if there is one.
  ///
  /// - Throws: ``StreamHeadError``.
  package func snapshot() throws(StreamHeadError) -> SnapshotEntry? {
    guard let json = json["snapshot"], json != .null else { return nil }
    let reader = HeadReader(json, path: "snapshot")
    guard try reader.text("encoding") == "gzip" else { throw reader.wrong("encoding") }
    return SnapshotEntry(
      seq: try reader.integer("seq"), id: try reader.identifier("id"),
      sha256: try reader.sha256("sha256"), size: try reader.byteCount("size"),
      plainSize: try reader.plainSize())
  }

  /// The member `schema`: the tables by their names.
  ///
  /// - Throws: ``StreamHeadError``.
  package func tables() throws(StreamHeadError) -> [StreamTable] {
    // Without a table it would be taken for a source that does not say what it carries.
    guard case .object(let members)? = json["schema"], !members.isEmpty else {
      throw wrong("schema")
    }
    var tables: [StreamTable] = []
    for member in members {
      tables.append(
        try HeadReader(member.value, path: "schema.\(member.name)").table(named: member.name))
    }
    return tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private func table(named name: String) throws(StreamHeadError) -> StreamTable {
    guard case .object(let members)? = json["columns"], !members.isEmpty else {
      throw wrong("columns")
    }
    var columns: [StreamColumn] = []
    for member in members {
      guard let affinity = member.value.stringValue, Self.affinities.contains(affinity) else {
        throw wrong("columns.\(member.name)")
      }
      columns.append(StreamColumn(name: member.name, affinity: affinity))
    }
    let key = json["key"]?.arrayValue?.compactMap(\.stringValue) ?? []
    guard !key.isEmpty, key.count == json["key"]?.arrayValue?.count,
      Set(key).count == key.count, key.allSatisfy({ name in columns.contains { $0.name == name } })
    else { throw wrong("key") }
    return StreamTable(name: name, key: key, columns: columns)
  }

  private static let affinities: Set<String> = ["INTEGER", "REAL", "NUMERIC", "TEXT", "BLOB"]

  /// The members `not_null` of the tables, which clients do not need either.
  fileprivate func required() -> [String: Set<String>] {
    guard case .object(let members)? = json["schema"] else { return [:] }
    var required: [String: Set<String>] = [:]
    for member in members {
      let names = (member.value["not_null"]?.arrayValue ?? []).compactMap(\.stringValue)
      if !names.isEmpty { required[member.name] = Set(names) }
    }
    return required
  }

  /// The member `retired`, which clients do not need: what is not understood is left out.
  fileprivate func retired() -> [RetiredObject] {
    (json["retired"]?.arrayValue ?? []).compactMap { element in
      guard let sha256 = element["sha256"]?.stringValue, let since = element["since"]?.stringValue
      else { return nil }
      return RetiredObject(sha256: sha256, since: since)
    }
  }
}
