import Foundation
import SeedModel
import Testing

@Suite struct Base64Tests {
  private func encoded(_ bytes: [UInt8]) -> [UInt8] {
    let count = Base64.encodedCount(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      bytes.withUnsafeBufferPointer { source in
        if let target = buffer.baseAddress { Base64.encode(source, into: target) }
      }
      filled = count
    }
  }

  private func decoded(_ text: String) -> [UInt8]? {
    var bytes = Array(text.utf8)
    let count = bytes.withUnsafeMutableBufferPointer { buffer -> Int? in
      guard let base = buffer.baseAddress else { return 0 }
      return Base64.decode(base, count: buffer.count)
    }
    return count.map { Array(bytes.prefix($0)) }
  }

  @Test func `bytes come back, and their text is that of others`() {
    for count in 0..<200 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      let text = String(decoding: encoded(bytes), as: UTF8.self)
      #expect(text == Data(bytes).base64EncodedString())
      #expect(decoded(text) == bytes)
      let isCanonical = Array(text.utf8).withUnsafeBufferPointer { Base64.isCanonical($0) }
      #expect(isCanonical)
    }
  }

  @Test(arguments: ["A", "AA", "AAA", "A===", "====", "AQ==AQ==", "AQ=A", "A-_A", "AQ ==", "é"])
  func `what is no Base64 is not taken`(text: String) {
    let isCanonical = Array(text.utf8).withUnsafeBufferPointer { Base64.isCanonical($0) }
    #expect(!isCanonical)
    #expect(decoded(text) == nil)
  }

  @Test(arguments: ["AR==", "AQJ="])
  func `bits of no byte are not canonical`(text: String) {
    let isCanonical = Array(text.utf8).withUnsafeBufferPointer { Base64.isCanonical($0) }
    #expect(!isCanonical)
    #expect(decoded(text) == nil)
    #expect(Array(text.utf8).withUnsafeBufferPointer { Base64.bytes(of: $0) } == nil)
  }

  @Test(arguments: ["", "SGk=", "SGk", "SGkh", " S\nG\r\nk\t= ", "_-8", "S-_S", "S+/S"])
  func `other forms are read where they are allowed`(text: String) {
    let bytes = Array(text.utf8).withUnsafeBufferPointer { Base64.bytes(of: $0) }
    #expect(bytes == Data(base64Encoded: canonical(text)).map { [UInt8]($0) })
    #expect(bytes != nil)
  }

  @Test(arguments: ["A", "A===", "AQ=", "AQ=A", "A?==", "é", "=", "AQ==="])
  func `what is no Base64 in any form is not taken`(text: String) {
    #expect(Array(text.utf8).withUnsafeBufferPointer { Base64.bytes(of: $0) } == nil)
  }

  /// The same data as Foundation wants it.
  private func canonical(_ text: String) -> String {
    let digits = text.filter { !$0.isWhitespace && $0 != "=" }
      .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return digits + String(repeating: "=", count: (4 - digits.count % 4) % 4)
  }
}
