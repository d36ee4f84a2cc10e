/// The words that booleans are written in: these letters and no others, in this case.
enum BooleanText {
  /// The meaning of `true` and `false`; nil for any other text.
  @inline(__always)
  static func trueFalse(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool? {
    if count == 4, isWord("true", bytes) { return true }
    if count == 5, isWord("false", bytes) { return false }
    return nil
  }

  /// The meaning of `YES` and `NO`; nil for any other text.
  @inline(__always)
  static func yesNo(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool? {
    if count == 3, isWord("YES", bytes) { return true }
    if count == 2, isWord("NO", bytes) { return false }
    return nil
  }

  @inline(__always)
  private static func isWord(_ word: StaticString, _ bytes: UnsafePointer<UInt8>) -> Bool {
    for index in 0..<word.utf8CodeUnitCount where word.utf8Start[index] != bytes[index] {
      return false
    }
    return true
  }
}
