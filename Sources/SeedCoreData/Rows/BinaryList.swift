/// Data that say of themselves that they are a binary property list, as archives are.
enum BinaryList {
  private static let mark = Array("bplist00".utf8)
  /// The frame at the end: sizes, and where the objects are.
  private static let trailerSize = 32

  static let reason = "is data that begin like a binary property list and are none"
  static let hint = "export it again: it was cut off, or is damaged"

  /// Whether data begin like one.
  static func isMeant(by data: [UInt8]) -> Bool { data.starts(with: mark) }

  /// Whether data begin like one and do not end like one: no app would get a value out of them.
  static func isBroken(_ data: [UInt8]) -> Bool {
    guard isMeant(by: data) else { return false }
    let trailer = data.count - trailerSize
    guard trailer > mark.count else { return true }
    func number(_ start: Int) -> Int? {
      let bytes = data[(trailer + start)..<(trailer + start + 8)]
      return Int(exactly: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
    let offsetSize = Int(data[trailer + 6])
    guard let count = number(8), let top = number(16), let table = number(24),
      (1...8).contains(offsetSize), (1...8).contains(data[trailer + 7]),
      count <= data.count, top < count, table > mark.count, table <= trailer
    else { return true }
    return count * offsetSize > trailer - table
  }
}
