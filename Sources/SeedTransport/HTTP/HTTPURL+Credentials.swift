extension HTTPURL {
  /// A text in which the user and the password of each address are replaced by "…".
  ///
  /// For whatever is shown: an address may stand in it where a path was expected, and need not be
  /// well formed. Addresses end at a blank or a quotation mark here.
  package static func withoutCredentials(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "@")) else { return text }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      result.append(bytes[index])
      index += 1
      guard result.last == UInt8(ascii: ":") else { continue }
      let rest = bytes[index...]
      let address = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
      let slashes = address.prefix { $0 == UInt8(ascii: "/") }
      guard isScheme(result.dropLast(), slashes: slashes.count),
        let end = credentialsEnd(address.dropFirst(slashes.count))
      else { continue }
      result += slashes
      result += "…".utf8
      index = end
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether what stands before a colon begins an address: any scheme before two slashes, and those
  /// that can be fetched with too few of them, too.
  private static func isScheme(_ before: ArraySlice<UInt8>, slashes: Int) -> Bool {
    let letters = before.reversed().prefix { isLetter($0) || isDigit($0) }
    let name = String(decoding: letters.reversed(), as: UTF8.self).lowercased()
    return slashes >= 2 ? !name.isEmpty : Scheme(rawValue: name) != nil
  }

  /// Where the "@" behind a user and a password stands; nil without them.
  ///
  /// A slash ends the place of the server, unless a password with a slash in it is the reason that
  /// no port follows the colon.
  private static func credentialsEnd(_ rest: ArraySlice<UInt8>) -> Int? {
    let at = UInt8(ascii: "@")
    let start = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let place = start.prefix { $0 != UInt8(ascii: "/") }
    if let end = place.lastIndex(of: at) { return end }
    guard place.first != UInt8(ascii: "["), let colon = place.firstIndex(of: UInt8(ascii: ":")),
      !place[place.index(after: colon)...].allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ":") })
    else { return nil }
    return start.lastIndex(of: at)
  }
}
