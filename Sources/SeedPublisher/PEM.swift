internal import SeedModel

/// Text around binary data as openssl writes it (RFC 7468).
enum PEM {
  /// The contents of all blocks of a kind, in their order; nil where one is broken.
  ///
  /// - Parameters:
  ///   - label: What stands between the dashes, such as `PUBLIC KEY`.
  ///   - text: The bytes of the file.
  /// - Returns: The contents; none where there is no such block.
  static func blocks(_ label: String, in text: [UInt8]) -> [[UInt8]]? {
    var lines = text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })[...]
    var found: [[UInt8]] = []
    let (begin, end) = ("-----BEGIN \(label)-----", "-----END \(label)-----")
    while let start = lines.firstIndex(where: { $0.elementsEqual(begin.utf8) }) {
      lines = lines[(start + 1)...]
      guard let stop = lines.firstIndex(where: { $0.elementsEqual(end.utf8) }),
        let content = Array(lines[..<stop].joined())
          .withUnsafeBufferPointer({ Base64.bytes(of: $0) })
      else { return nil }
      found.append(content)
      lines = lines[(stop + 1)...]
    }
    return found
  }
}
