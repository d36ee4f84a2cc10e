/// A gzip member (RFC 1952) made by hand, with its data in stored blocks (RFC 1951, section 3.2.4).
enum GzipMember {
  static func make(_ data: some Sequence<UInt8>, name: String? = nil) -> [UInt8] {
    let data = Array(data)
    var bytes: [UInt8] = [0x1F, 0x8B, 8, name == nil ? 0 : 8, 0, 0, 0, 0, 0, 0xFF]
    if let name { bytes += Array(name.utf8) + [0] }
    var rest = data[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      bytes.append(rest.isEmpty ? 1 : 0)
      bytes += littleEndian(count) + littleEndian(~count) + block
    } while !rest.isEmpty
    return bytes + littleEndian(checksum(of: data))
      + littleEndian(UInt32(truncatingIfNeeded: data.count))
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func checksum(of data: [UInt8]) -> UInt32 {
    ~data.reduce(~0) { state, byte in
      (0..<8).reduce(state ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }
}
