/// Canonical decimal integers: the texts that `Int64` writes, and no others.
package enum IntegerText {
  /// The integer that the text denotes, or nil when it is not canonical or needs over 64 bits.
  ///
  /// Refused are `+5`, `007`, `-0`, blanks and the empty text: written back they would differ.
  @inline(__always)
  package static func parse(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
    guard count > 0 else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    let digitCount = count &- start
    // Nineteen digits cannot overflow UInt64, and every 64-bit integer has at most nineteen.
    guard digitCount >= 1, digitCount <= 19 else { return nil }
    let first = bytes[start] &- UInt8(ascii: "0")
    guard first <= 9 else { return nil }
    guard first != 0 else { return digitCount == 1 && !isNegative ? 0 : nil }
    var magnitude = UInt64(first)
    var index = start &+ 1
    while index < count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      index &+= 1
    }
    if magnitude <= UInt64(Int64.max) {
      return isNegative ? 0 &- Int64(bitPattern: magnitude) : Int64(bitPattern: magnitude)
    }
    return isNegative && magnitude == Int64.min.magnitude ? Int64.min : nil
  }
}
