/// The history of one place's offsets from UTC, as a compiled time zone file (RFC 8536) has it.
struct ZoneTransitions: Sendable, Hashable {
  /// The offset before the first change, in seconds east of Greenwich.
  private let firstOffset: Int64
  /// The instants of the changes, ascending, in seconds since 1970.
  private let instants: [Int64]
  /// The offset from the change of the same index on.
  private let offsets: [Int64]
  /// What holds after the last change.
  private let rule: ZoneRule?

  /// Reads a file's content, or says nil when it is not one of version 2 or later.
  ///
  /// Files that count leap seconds are refused: their instants are not those of SQLite.
  init?(_ content: [UInt8]) {
    var reader = Reader(content: content)
    guard let old = reader.header(), old.version >= UInt8(ascii: "2"),
      reader.skip(old.byteCount(timeSize: 4)), let header = reader.header(),
      header.leapCount == 0, header.typeCount > 0,
      let instants = reader.integers(header.timeCount, size: 8),
      let types = reader.integers(header.timeCount, size: 1)
    else { return nil }
    var typeOffsets: [Int64] = []
    for _ in 0..<header.typeCount {
      guard let offset = reader.integer(size: 4), reader.skip(2) else { return nil }
      typeOffsets.append(offset)
    }
    guard reader.skip(header.nameCount + header.standardCount + header.utcCount),
      types.allSatisfy({ typeOffsets.indices.contains(Int($0)) }),
      zip(instants, instants.dropFirst()).allSatisfy({ $0 < $1 }),
      let footer = reader.footer()
    else { return nil }
    self.instants = instants
    offsets = types.map { typeOffsets[Int($0)] }
    firstOffset = typeOffsets[0]
    rule = footer.isEmpty ? nil : ZoneRule(footer)
    if !footer.isEmpty, rule == nil { return nil }
  }

  /// The offset that holds at an instant.
  func offset(at instant: Int64) -> Int64 {
    guard let first = instants.first, instant >= first else {
      return instants.isEmpty ? rule?.offset(at: instant) ?? firstOffset : firstOffset
    }
    if let rule, let last = instants.last, instant >= last { return rule.offset(at: instant) }
    var low = 0
    var high = instants.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if instants[middle] <= instant { low = middle } else { high = middle }
    }
    return offsets[low]
  }

  /// See ``TimeZoneRule/utcSeconds(fromLocal:)``.
  func utcSeconds(fromLocal local: Int64) -> Int64? {
    // No place is more than a day from UTC, so a change near the local time lies between these.
    let before = offset(at: local - CalendarDate.secondsPerDay)
    let after = offset(at: local + CalendarDate.secondsPerDay)
    // The larger offset gives the earlier instant.
    let earlier = local - max(before, after)
    if local - offset(at: earlier) == earlier { return earlier }
    let later = local - min(before, after)
    return local - offset(at: later) == later ? later : nil
  }
}

extension ZoneTransitions {
  /// The counts at the head of each of the file's two blocks.
  private struct Header {
    var version: UInt8
    var utcCount, standardCount, leapCount, timeCount, typeCount, nameCount: Int

    func byteCount(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + nameCount + leapCount * (timeSize + 4)
        + standardCount + utcCount
    }
  }

  /// Reads big-endian integers from the front of a file's content.
  private struct Reader {
    let content: [UInt8]
    var index = 0

    mutating func skip(_ count: Int) -> Bool {
      guard count <= content.count - index else { return false }
      index += count
      return true
    }

    /// One integer; those of four and eight bytes have a sign.
    mutating func integer(size: Int) -> Int64? {
      guard size <= content.count - index else { return nil }
      var value: UInt64 = 0
      for byte in content[index..<index + size] { value = value << 8 | UInt64(byte) }
      index += size
      return size == 4
        ? Int64(Int32(truncatingIfNeeded: value)) : Int64(truncatingIfNeeded: value)
    }

    mutating func integers(_ count: Int, size: Int) -> [Int64]? {
      guard count <= (content.count - index) / size else { return nil }
      return (0..<count).compactMap { _ in integer(size: size) }
    }

    mutating func header() -> Header? {
      guard content.dropFirst(index).starts(with: Array("TZif".utf8)), skip(4),
        let version = integer(size: 1), skip(15), let counts = integers(6, size: 4),
        counts.allSatisfy({ $0 >= 0 && $0 <= content.count })
      else { return nil }
      let count = counts.map { Int($0) }
      return Header(
        version: UInt8(truncatingIfNeeded: version), utcCount: count[0], standardCount: count[1],
        leapCount: count[2], timeCount: count[3], typeCount: count[4], nameCount: count[5])
    }

    /// The text between the two line breaks at the end.
    mutating func footer() -> String? {
      let newline = UInt8(ascii: "\n")
      guard index < content.count, content[index] == newline, content.last == newline,
        content.count - index >= 2
      else { return nil }
      return String(decoding: content[(index + 1)..<(content.count - 1)], as: UTF8.self)
    }
  }
}
