#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension TimeZoneRule {
  /// Where Linux and Apple's systems keep the compiled IANA database.
  package static let databaseDirectory = "/usr/share/zoneinfo"

  /// Far above the largest file of the database, which has a few kilobytes.
  private static let maximumFileSize = 1 << 20

  /// Finds a zone: `UTC`, `±hh:mm`, or a name of the IANA database such as `Europe/Berlin`.
  ///
  /// - Throws: ``ValueRulesError`` when the database has no such name, when the name could lead
  ///   out of its directory, or when the file cannot be read.
  package init(
    named name: String, databaseDirectory: String = TimeZoneRule.databaseDirectory
  ) throws(ValueRulesError) {
    if let fixed = TimeZoneRule(offset: name) {
      self = fixed
      return
    }
    guard TimeZoneRule.isPlausible(name) else { throw ValueRulesError(.unknownTimeZone, in: name) }
    guard access(databaseDirectory, R_OK) == 0 else {
      throw ValueRulesError(.unreadableTimeZone, in: name)
    }
    guard let content = TimeZoneRule.content(ofFile: "\(databaseDirectory)/\(name)") else {
      throw ValueRulesError(.unknownTimeZone, in: name)
    }
    // Beside the zones lie tables in plain text, whose names are no zones either.
    guard content.starts(with: Array("TZif".utf8)) else {
      throw ValueRulesError(.unknownTimeZone, in: name)
    }
    guard let transitions = ZoneTransitions(content) else {
      throw ValueRulesError(.unreadableTimeZone, in: name)
    }
    self.init(name: name, source: .transitions(transitions))
  }

  /// Whether the name has the letters of the database's names and no way out of the directory.
  private static func isPlausible(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return name.utf8.count <= 64
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
              UInt8(ascii: "+"):
              true
            default: false
            }
          }
      }
  }

  /// The content of a regular file, or nil when there is none or it is too large to be a zone.
  private static func content(ofFile path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= maximumFileSize
    else { return nil }
    var content = [UInt8](repeating: 0, count: Int(status.st_size))
    var end = 0
    while end < content.count {
      let count = content.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress?.advanced(by: end), buffer.count - end)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      end += count
    }
    return content
  }
}
