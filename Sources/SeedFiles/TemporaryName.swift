/// The name of a temporary file: `.<name>.seed-<process>-<number>`.
internal struct TemporaryName {
  /// The part before the process number, common to all temporary files of one destination.
  private let prefix: String

  /// What SQLite appends to a database's name for the files beside it.
  internal static let companions = ["-journal", "-wal", "-shm"]

  /// The longest file name that common file systems take, in bytes.
  private static let longest = 255
  private static let mark = ".seed-"

  /// The names for a destination; a long one is cut so that the whole, with companions, fits.
  internal init(for fileName: String) {
    // The dot, the mark, two numbers of at most 10 digits, a hyphen and "-journal".
    let room = Self.longest - 1 - Self.mark.utf8.count - 10 - 1 - 10 - 8
    var cut = fileName
    while cut.utf8.count > room { cut.unicodeScalars.removeLast() }
    prefix = "." + cut + Self.mark
  }

  internal func name(process: Int32, number: UInt32) -> String {
    "\(prefix)\(process)-\(number)"
  }

  /// The temporary file that a name belongs to: itself, or the one it is a companion of.
  ///
  /// Nil for every other name.
  internal func owner(of name: String) -> String? {
    var base = name[...]
    if let companion = Self.companions.first(where: { name.hasSuffix($0) }) {
      base = name.dropLast(companion.count)
    }
    guard base.hasPrefix(prefix) else { return nil }
    let numbers = base.dropFirst(prefix.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let areDigits = numbers.allSatisfy { number in
      !number.isEmpty && number.utf8.allSatisfy { digits.contains($0) }
    }
    return numbers.count == 2 && areDigits ? String(base) : nil
  }
}
