import SeedFiles
import TestSupport
import Testing

@Suite struct SHA256DigestTests {
  /// Vectors of FIPS 180-4.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `digests are those of the standard`(text: String, expected: String) {
    var digest = SHA256Digest()
    Array(text.utf8).withUnsafeBytes { digest.update($0) }
    #expect(digest.hexadecimal() == expected)
  }

  @Test func `pieces of any size give the digest of the whole`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var whole = SHA256Digest()
    bytes.withUnsafeBytes { whole.update($0) }
    for size in [1, 63, 64, 65, 999] {
      var digest = SHA256Digest()
      digest.update(UnsafeRawBufferPointer(start: nil, count: 0))
      for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { digest.update($0) }
      }
      #expect(digest.finalize() == whole.finalize())
    }
  }

  @Test func `a digest in between does not disturb the rest`() {
    var digest = SHA256Digest()
    Array("a".utf8).withUnsafeBytes { digest.update($0) }
    #expect(digest.finalize().count == SHA256Digest.byteCount)
    Array("bc".utf8).withUnsafeBytes { digest.update($0) }
    #expect(digest.hexadecimal().hasPrefix("ba7816bf8f01cfea"))
    #expect(digest.finalize() == digest.finalize())
  }

  @Test func `hexadecimal digits are lower case and two a byte`() {
    #expect(SHA256Digest.hexadecimal([0, 10, 255]) == "000aff")
  }
}
