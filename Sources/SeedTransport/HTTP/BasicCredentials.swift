/// A user and a password that stand in an address, as the header that servers expect (RFC 7617).
package enum BasicCredentials {
  /// The value of `Authorization` for `user:password` as an address has it.
  package static func headerValue(_ userInformation: String) -> String {
    var bytes = Percent.decode(userInformation)
    if !bytes.contains(UInt8(ascii: ":")) { bytes.append(UInt8(ascii: ":")) }
    return "Basic " + base64(bytes)
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(3 - group.count) * 8
      for index in 0..<4 {
        let sextet = Int(bits >> UInt32(18 - index * 6) & 63)
        text.append(index <= group.count ? alphabet[sextet] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
