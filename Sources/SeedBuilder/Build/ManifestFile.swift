internal import SeedFiles
internal import SeedModel

/// The file beside a database that should hold its manifest.
struct ManifestFile {
  /// What is there.
  enum State: Equatable {
    case missing
    /// It holds the text that is expected.
    case current
    /// It holds something else; the first lines that differ, without blanks around them.
    case stale(found: String, expected: String)
  }

  /// Compares what is there with the text that is expected.
  ///
  /// - Throws: ``FileError`` when the file is there and cannot be read.
  static func state(
    beside database: String, expected: String, files: FileSystem = .live
  ) throws(FileError) -> State {
    let path = BuildManifest.path(beside: database)
    guard let status = try files.status(path) else { return .missing }
    guard status.kind == .regular else { return .stale(found: "no regular file", expected: "") }
    let expected = Array(expected.utf8)
    // One byte more, to see that something follows.
    let found = try files.bytes(of: path, limit: expected.count + 1)
    guard found != expected else { return .current }
    let lines = (lines(of: found), lines(of: expected))
    let common = zip(lines.0, lines.1).prefix { $0 == $1 }.count
    return .stale(found: line(common, of: lines.0), expected: line(common, of: lines.1))
  }

  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
  }

  private static func line(_ index: Int, of lines: [ArraySlice<UInt8>]) -> String {
    guard index < lines.count else { return "" }
    var line = Substring(decoding: lines[index].prefix(200), as: UTF8.self)
    line = line.drop { $0 == " " }
    if line.last == "," { line.removeLast() }
    return String(line)
  }
}
