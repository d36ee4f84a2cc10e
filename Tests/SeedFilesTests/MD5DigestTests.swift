import SeedFiles
import Testing

@Suite struct MD5DigestTests {
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("null", "37a6259cc0c1dae299a7866489dff0bd"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
  ])
  func `the digests of RFC 1321 come out`(text: String, digest: String) {
    #expect(MD5Digest.hexadecimal(of: Array(text.utf8)) == digest)
  }
}
