internal import SeedModel

extension SegmentHeader {
  /// Reads the line.
  ///
  /// - Parameter line: The line without its LF.
  /// - Throws: ``SegmentError``.
  package init(line: UnsafeMutableBufferPointer<UInt8>) throws(SegmentError) {
    let json = try SegmentLine.object(line, number: 1)
    guard let format = json["segment"] else {
      throw SegmentError("it is no segment", line: 1)
    }
    guard format.integerValue == Self.currentFormat else {
      throw SegmentError("the format is not \(Self.currentFormat)", line: 1)
    }
    guard let stream = json["stream"]?.stringValue, let epoch = json["epoch"]?.integerValue,
      let from = json["from"]?.integerValue, let to = json["to"]?.integerValue,
      let ids = json["ids"]?.arrayValue?.compactMap(\.stringValue),
      ids.count == json["ids"]?.arrayValue?.count
    else { throw SegmentError("the header lacks what it has to say", line: 1) }
    self.init(stream: stream, epoch: epoch, from: from, to: to, ids: ids)
  }

  /// The id that a database must have at a position of which these are the changes.
  ///
  /// - Parameters:
  ///   - seq: The database's number.
  ///   - isSparse: Whether the numbers in between are no checkpoints.
  /// - Returns: The id; nil when the changes do not apply there.
  package func id(at seq: Int64, isSparse: Bool) -> String? {
    guard seq >= from, seq <= to else { return nil }
    if isSparse { return seq == from ? ids.first : seq == to ? ids.last : nil }
    let index = Int(seq - from)
    return ids.indices.contains(index) ? ids[index] : nil
  }

  /// Fails unless the header says what the stream says of its file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - stream: The stream's name.
  /// - Throws: ``SegmentError``.
  package func check(against file: SegmentFile, stream: String) throws(SegmentError) {
    func require(_ holds: Bool, _ what: String) throws(SegmentError) {
      if !holds { throw SegmentError("\(what) is not what the stream says", line: 1) }
    }
    try require(self.stream == stream, "the stream")
    try require(epoch == file.epoch, "the epoch")
    try require(from == file.from && to == file.to && from < to, "the range")
    let (distance, overflow) = to.subtractingReportingOverflow(from)
    guard !overflow else { throw SegmentError("the range is too long", line: 1) }
    let idCount = file.isSparse ? 2 : distance == .max ? 0 : distance + 1
    try require(Int64(ids.count) == idCount, "the count of ids")
    if let lastID = file.lastID { try require(ids.last == lastID, "the last id") }
  }
}

/// What lines that are JSON objects have in common.
internal enum SegmentLine {
  /// The object of a line.
  ///
  /// - Throws: ``SegmentError``.
  internal static func object(
    _ line: UnsafeMutableBufferPointer<UInt8>, number: Int
  ) throws(SegmentError) -> JSONValue {
    do {
      let value = try JSONValue(parsing: Array(line))
      if case .object = value { return value }
    } catch {
      throw SegmentError("it is no JSON: \(error)", line: number)
    }
    throw SegmentError("it is no object", line: number)
  }
}
