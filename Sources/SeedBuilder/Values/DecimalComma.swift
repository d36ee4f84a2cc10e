/// Numbers as much of Europe writes them: `12,50`, `1.234,50`.
package enum DecimalComma {
  /// What a project file calls the format.
  package static let name = "decimal-comma"

  /// The same number with a decimal point and without other marks; nil when it is none.
  ///
  /// A point parts thousands, so there are three digits behind each: `1.5` is no such number.
  package static func pointed(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text[...]
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      result.append(sign)
      rest.removeFirst()
    }
    let parts = rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return nil }
    let groups = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let first = groups.first, groups.allSatisfy(isDigits),
      groups.dropFirst().allSatisfy({ $0.count == 3 }),
      groups.count == 1 || first.count <= 3 && first.first != UInt8(ascii: "0")
    else { return nil }
    for group in groups { result += group }
    guard let fraction = parts.dropFirst().first else { return result }
    guard isDigits(fraction) else { return nil }
    return result + [UInt8(ascii: ".")] + fraction
  }

  private static func isDigits(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    !text.isEmpty && text.allSatisfy { $0 &- UInt8(ascii: "0") <= 9 }
  }
}
