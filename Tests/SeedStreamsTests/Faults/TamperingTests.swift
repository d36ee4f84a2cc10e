import Foundation
import SeedFiles
import SeedStreams
import TestSupport
import Testing

/// T7 and T8 where the digests are right and what they cover is not.
@Suite struct TamperingTests {
  private let history = PublishedHistory()

  init() {
    history.publishRandomly(3, rowsPerStep: 4, seed: 11)
  }

  private func expectRefusal(
    _ head: StreamHead, at seq: Int64, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let app = try AppDatabase(history, at: seq)
    let server = MemoryServer(history.files(head))
    let error = app.failure(server)
    guard case .unsupportedFormat(let found) = error?.reason else {
      Issue.record("\(words): \(String(describing: error))", sourceLocation: sourceLocation)
      return
    }
    #expect(found.contains(words), sourceLocation: sourceLocation)
    try app.expectPublishedState(at: seq, sourceLocation: sourceLocation)
    // What cannot be used does not stay where the next run would find it whole.
    #expect(server.requests.count <= 3, sourceLocation: sourceLocation)
  }

  /// How a gzip member is damaged.
  private static let damages:
    [(name: String, words: String, change: @Sendable ([UInt8]) -> [UInt8])] = [
      ("truncated", "ends too early", { Array($0.dropLast(9)) }),
      ("without its length", "ends too early", { Array($0.dropLast(4)) }),
      (
        "wrong CRC", "damaged",
        { bytes in
          var bytes = bytes
          bytes[bytes.count - 6] ^= 1
          return bytes
        }
      ),
      (
        "wrong length", "damaged",
        { bytes in
          var bytes = bytes
          bytes[bytes.count - 1] ^= 1
          return bytes
        }
      ),
      ("trailing garbage", "follows the gzip data", { $0 + [0] }),
      ("two members", "follows the gzip data", { $0 + ReferenceEncoding.gzip([10]) }),
      ("no gzip", "damaged", { _ in [UInt8](repeating: 0x7B, count: 500) }),
    ]

  @Test func `a segment whose gzip member is damaged is refused, whatever its digest`() throws {
    let right = try history.head(.single)
    let path = StreamLayout.object(right.segments[0].sha256)
    let packed = try #require(history.files(right)[path])
    for damage in Self.damages {
      var head = right
      let bytes = damage.change(packed)
      head.segments[0].sha256 = history.add(object: bytes)
      head.segments[0].size = Int64(bytes.count)
      try expectRefusal(head, at: history.firstSeq, damage.words)
    }
  }

  @Test func `a snapshot whose gzip member is damaged is refused, whatever its digest`() throws {
    var right = try history.head(.steps, snapshotAt: history.seq)
    right.segments = []
    let entry = try #require(right.snapshot)
    let packed = try #require(history.files(right)[StreamLayout.object(entry.sha256)])
    for damage in Self.damages {
      var head = right
      let bytes = damage.change(packed)
      head.snapshot?.sha256 = history.add(object: bytes)
      head.snapshot?.size = Int64(bytes.count)
      try expectRefusal(head, at: history.firstSeq, damage.words)
    }
  }

  @Test func `a bomb is left at the length that was said, in a segment and in a snapshot`() throws {
    // 64 MB of zeros in as many kilobytes.
    let bomb = ReferenceEncoding.gzip([UInt8](repeating: 0, count: 64 << 20))
    #expect(bomb.count < 128 << 10)
    let sha256 = history.add(object: bomb)
    var head = try history.head(.single)
    head.segments[0].sha256 = sha256
    head.segments[0].size = Int64(bomb.count)
    try expectRefusal(head, at: history.firstSeq, "bytes long")
    head = try history.head(.steps, snapshotAt: history.seq)
    head.segments = []
    head.snapshot?.sha256 = sha256
    head.snapshot?.size = Int64(bomb.count)
    try expectRefusal(head, at: history.firstSeq, "bytes long")
  }

  @Test func `any byte of a head that is changed leaves a published state or an error`() throws {
    let template = try AppDatabase(history)
    let right = try history.head(.steps)
    let json = PublishedHistory.json(of: right)
    let files = history.files(right)
    let isThorough = ProcessInfo.processInfo.environment["SEED_FAULTS"] == "all"
    for byte in stride(from: 0, to: json.count, by: isThorough ? 1 : 9) {
      let server = MemoryServer(files)
      server.files[StreamLayout.head]?[byte] ^= 1 << UInt8(byte % 7)
      let app = try AppDatabase(copying: template)
      let error = app.failure(server)
      let seq = try #require(try app.position()).seq
      if error == nil, seq == history.seq { continue }
      try app.expectPublishedState("byte \(byte): \(String(describing: error))")
    }
  }

  // MARK: Signatures

  /// A key pair that the openssl tool has made.
  private struct Signer {
    let directory: TemporaryDirectory
    let publicKey: [UInt8]

    init() throws {
      directory = try TemporaryDirectory()
      try Self.openssl(
        "genpkey", "-algorithm", "ed25519", "-out", directory.path("key.pem"))
      try Self.openssl(
        "pkey", "-in", directory.path("key.pem"), "-pubout", "-outform", "DER", "-out",
        directory.path("public.der"))
      // The key's 32 bytes end the structure around them.
      publicKey = try directory.bytes(of: "public.der").suffix(32)
    }

    private static func openssl(_ arguments: String...) throws {
      let run = try CommandRun.run("/usr/bin/env", ["openssl"] + arguments)
      try #require(run.status == 0, "\(run.errorText)")
    }

    static func base64(_ bytes: [UInt8]) -> String {
      Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }

    /// A document around a payload.
    func sign(_ payload: [UInt8], header: String = #"{"alg":"EdDSA"}"#) throws -> [UInt8] {
      let (protected, body) = (Self.base64(Array(header.utf8)), Self.base64(payload))
      try directory.write("\(protected).\(body)", to: "message")
      try Self.openssl(
        "pkeyutl", "-sign", "-rawin", "-inkey", directory.path("key.pem"), "-in",
        directory.path("message"), "-out", directory.path("signature"))
      let signature = Self.base64(try directory.bytes(of: "signature"))
      return Array(
        #"{"payload":"\#(body)","protected":"\#(protected)","signature":"\#(signature)"}"#.utf8)
    }
  }

  @Test(.enabled(if: TestCertificate.isAvailable))
  func `a head that another key has signed, or that was edited since, is refused`() throws {
    let (signer, stranger) = (try Signer(), try Signer())
    let head = try history.head(.steps)
    let json = PublishedHistory.json(of: head)
    let signed = try signer.sign(json)
    var edited = json
    edited[edited.count - 30] ^= 1
    let text = String(decoding: signed, as: UTF8.self)
    let forgeries: [(String, [UInt8])] = [
      ("signed by another key", try stranger.sign(json)),
      (
        "edited", Array(text.replacing(Signer.base64(json), with: Signer.base64(edited)).utf8)
      ),
      ("without a signature", json), ("of no algorithm", try signer.sign(json, header: "{}")),
      ("critical", try signer.sign(json, header: #"{"alg":"EdDSA","crit":["x"],"x":1}"#)),
    ]
    for (name, document) in forgeries {
      let app = try AppDatabase(history)
      app.options.trustedKeys = [signer.publicKey]
      let server = MemoryServer(history.files(head))
      server.files[StreamLayout.head] = document
      #expect(app.failure(server)?.reason == .signatureInvalid, "\(name)")
      #expect(server.requests.count == 1, "\(name)")
      try app.expectPublishedState(at: history.firstSeq)
    }
    let app = try AppDatabase(history)
    app.options.trustedKeys = [stranger.publicKey, signer.publicKey]
    let server = MemoryServer(history.files(head))
    server.files[StreamLayout.head] = signed
    #expect(try app.sync(server).outcome == .applied)
    try app.expectPublishedState(at: history.seq)
  }
}
