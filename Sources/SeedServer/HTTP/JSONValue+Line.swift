internal import SeedModel

extension JSONValue {
  /// The document on one line without blanks, with a line feed at its end.
  internal var line: [UInt8] {
    var bytes: [UInt8] = []
    JSONBytes.append(self, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
