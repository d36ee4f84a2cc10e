internal import SeedFiles
internal import SeedModel

/// The file beside a database that should hold its manifest.
struct ManifestFile {
  /// What is there.
  enum State: Equatable {
    case missing
    /// It holds the text that is expected.
    case current
    /// It holds something else: how it differs first, in words that follow "the manifest".
    case stale(String)
  }

  /// Compares what is there with the text that is expected.
  ///
  /// - Throws: ``FileError`` when the file is there and cannot be read.
  static func state(
    beside database: String, expected: String, files: FileSystem = .live
  ) throws(FileError) -> State {
    let path = BuildManifest.path(beside: database)
    guard let status = try files.status(path) else { return .missing }
    guard status.kind == .regular else { return .stale("is no regular file") }
    let expected = Array(expected.utf8)
    // One byte more, to see that something follows.
    let found = try files.bytes(of: path, limit: expected.count + 1)
    guard found != expected else { return .current }
    return .stale(difference(of: lines(of: found), from: lines(of: expected)))
  }

  private static func difference(
    of found: [ArraySlice<UInt8>], from expected: [ArraySlice<UInt8>]
  ) -> String {
    let common = zip(found, expected).prefix { $0 == $1 }.count
    let isInBoth = common < found.count && common < expected.count
    let (said, wanted) = (line(common, of: found), line(common, of: expected))
    switch (said.isEmpty, wanted.isEmpty) {
    case (false, false) where said != wanted: return "says \(said) and not \(wanted)"
    case (true, false): return "lacks \(wanted) in line \(common + 1)"
    case (false, true): return "says \(said) in line \(common + 1), where nothing more is expected"
    default:
      return isInBoth
        ? "has other blanks or line ends in line \(common + 1)" : "has other line ends at its end"
    }
  }

  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
  }

  /// A line without the blanks around it and the comma behind it; empty if there is none.
  private static func line(_ index: Int, of lines: [ArraySlice<UInt8>]) -> String {
    guard index < lines.count else { return "" }
    var line = lines[index].prefix(200).drop { isBlank($0) }
    while let last = line.last, isBlank(last) { line.removeLast() }
    if line.last == UInt8(ascii: ",") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
