internal import SeedModel
internal import SeedStreams

/// A segment that is being sent: its header was read and compared.
internal struct OpenSegment {
  internal let text: StoredLines
  internal let sha256: String
  internal let from: Int64
  internal let to: Int64
  /// The ids of the checkpoints ``from`` to ``to``.
  internal let ids: [String]
  /// The line that opened the section in which ``text`` stands; nil before the first one.
  internal private(set) var section: [UInt8]?

  /// Opens a segment.
  ///
  /// - Throws: ``StoredLines/Damaged`` or ``FileError``.
  internal init(_ sha256: String, of stream: PublishedStream, _ head: StreamHead) throws {
    text = try stream.segment(sha256)
    self.sha256 = sha256
    guard let line = try text.next() else { throw StoredLines.Damaged(reason: "it is empty") }
    let header: JSONValue
    do throws(JSONError) {
      header = try JSONValue(parsing: Array(line))
    } catch {
      throw StoredLines.Damaged(reason: "its header is no JSON")
    }
    guard header["segment"]?.integerValue == 1, header["stream"]?.stringValue == head.stream,
      header["epoch"]?.integerValue == head.position.epoch,
      let from = header["from"]?.integerValue, let to = header["to"]?.integerValue, from < to,
      let ids = header["ids"]?.arrayValue?.compactMap(\.stringValue), ids.count - 1 == to - from
    else { throw StoredLines.Damaged(reason: "its header is of another stream") }
    self.from = from
    self.to = to
    self.ids = ids
  }

  /// The id of a checkpoint; nil if the segment does not cover it.
  internal func id(at seq: Int64) -> String? {
    (from...to).contains(seq) ? ids[Int(seq - from)] : nil
  }

  /// Notes a line that opens a section.
  internal mutating func open(_ section: UnsafeRawBufferPointer) {
    self.section = Array(section)
  }

  /// Goes on to a place that a cursor names.
  ///
  /// - Returns: Whether there is such a place: the start of a row.
  internal mutating func skip(to offset: Int64) throws -> Bool {
    while text.offset < offset {
      guard let line = try text.next() else { return false }
      guard line.first == UInt8(ascii: "{") else { continue }
      if LineKind(line) == .section { open(line) }
    }
    return text.offset == offset && section != nil
  }
}

/// What a line of a segment is about.
internal enum LineKind: Equatable {
  case row
  case section
  /// The last line, with the number of the rows.
  case end(rows: Int64)
  case unknown

  internal init(_ line: UnsafeRawBufferPointer) {
    self = .unknown
    guard line.first == UInt8(ascii: "{") else {
      if line.first == UInt8(ascii: "[") { self = .row }
      return
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: Array(line))
    } catch {
      return
    }
    if value["table"] != nil {
      self = .section
    } else if let rows = value["end"]?["rows"]?.integerValue {
      self = .end(rows: rows)
    }
  }
}
