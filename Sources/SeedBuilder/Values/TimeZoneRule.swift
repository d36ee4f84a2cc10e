/// How local times of one place map to UTC.
///
/// The rules of named places are read once, from the system's copy of the IANA database; after
/// that, no state of the process and no environment variable has a part in a conversion.
package struct TimeZoneRule: Sendable, Hashable {
  /// The zone as it was given.
  package let name: String
  let source: Source

  enum Source: Sendable, Hashable {
    /// Always so many seconds east of Greenwich.
    case fixed(Int64)
    case transitions(ZoneTransitions)
  }

  /// UTC itself.
  package static let utc = TimeZoneRule(name: "UTC", source: .fixed(0))

  init(name: String, source: Source) {
    self.name = name
    self.source = source
  }

  /// Reads `UTC`, `Z` or `±hh:mm`, up to 14:59; nil for anything else.
  package init?(offset text: String) {
    if text == "UTC" || text == "Z" {
      self = .utc
      return
    }
    let bytes = Array(text.utf8)
    var fields = DateTimeFields()
    guard bytes.count == 6, bytes[0] != UInt8(ascii: " "),
      bytes.withUnsafeBufferPointer({ buffer in
        guard let start = buffer.baseAddress else { return false }
        return TimeText.readZone(start, from: 0, buffer.count, into: &fields)
      })
    else { return nil }
    let digits = bytes.map { Int64($0) - 48 }
    let seconds = (digits[1] * 10 + digits[2]) * 3600 + (digits[4] * 10 + digits[5]) * 60
    self.init(name: text, source: .fixed(bytes[0] == UInt8(ascii: "-") ? -seconds : seconds))
  }

  /// Seconds since 1970 in UTC of a local time, given as if it were one of UTC.
  ///
  /// Nil when the place's clocks skipped that time. When they showed it twice, the earlier one.
  func utcSeconds(fromLocal local: Int64) -> Int64? {
    switch source {
    case .fixed(let offset): local - offset
    case .transitions(let transitions): transitions.utcSeconds(fromLocal: local)
    }
  }
}
