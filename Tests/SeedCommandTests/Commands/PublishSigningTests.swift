import Foundation
import SeedModel
import SeedPublisher
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

@testable import SeedCommand

/// Signed heads, from the key that openssl makes to the app that trusts it.
@Suite(.enabled(if: TestCertificate.isAvailable)) struct PublishSigningTests {
  private let directory: TemporaryDirectory
  private let database: String
  private let target: String
  private let head: String

  init() throws {
    directory = try TemporaryDirectory()
    database = directory.path("default.sqlite")
    target = directory.path("public")
    head = "public/main/v1/head.json"
    let input = try directory.write("id,v\n1,a\n", to: "t.csv")
    try #require(CapturedConsole().run("build", input, "-o", database) == .success)
    try makeKey("key")
  }

  private func openssl(_ arguments: String...) throws {
    let run = try CommandRun.run("/usr/bin/env", ["openssl"] + arguments)
    try #require(run.status == 0, "\(run.text)\(run.errorText)")
  }

  private func makeKey(_ name: String) throws {
    let path = directory.path("\(name).pem")
    try openssl("genpkey", "-algorithm", "ed25519", "-out", path)
    try openssl("pkey", "-in", path, "-pubout", "-out", directory.path("\(name).public.pem"))
    try openssl(
      "pkey", "-in", path, "-pubout", "-outform", "DER", "-out",
      directory.path("\(name).public.der"))
  }

  private func publicKey(_ name: String) throws -> [UInt8] {
    try directory.bytes(of: "\(name).public.der").suffix(32)
  }

  private func publish(
    _ arguments: String..., sql: String = ""
  ) throws -> (code: ExitCode, error: String) {
    try Connection(path: database, mode: .readWrite).execute(sql)
    let capture = CapturedConsole()
    let code = CommandLineTool.run(
      ["publish", database, "--to", target] + arguments, on: capture.console)
    return (code, capture.error)
  }

  private func document() throws -> JSONValue { try JSONValue(parsing: directory.bytes(of: head)) }

  private func decoded(_ text: String?) throws -> Data {
    var text = try #require(text).replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    return try #require(Data(base64Encoded: text))
  }

  @Test func `openssl agrees with the signature, and the head is what was signed`() throws {
    #expect(try publish("--sign", directory.path("key.pem")).code == .success)
    let document = try document()
    let protected = try #require(document["protected"]?.stringValue)
    let payload = try #require(document["payload"]?.stringValue)
    #expect(try decoded(protected) == Data(#"{"alg":"EdDSA"}"#.utf8))
    try directory.write("\(protected).\(payload)", to: "message")
    try decoded(document["signature"]?.stringValue)
      .write(to: URL(fileURLWithPath: directory.path("signature")))
    try openssl(
      "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", directory.path("key.public.pem"), "-in",
      directory.path("message"), "-sigfile", directory.path("signature"))
    #expect(try StreamHead(parsing: Array(decoded(payload))).stream == "main")
  }

  @Test func `an app that trusts the key follows, and one that trusts another does not`() throws {
    try makeKey("other")
    #expect(try publish("--sign", directory.path("key.pem")).code == .success)
    let app = directory.path("app.sqlite")
    try FileManager.default.copyItem(atPath: database, toPath: app)
    let key = directory.path("key.pem")
    #expect(try publish("--sign", key, sql: "INSERT INTO t VALUES(2, 'b')").code == .success)
    func sync(trusting name: String) throws -> StreamResult {
      var options = StreamOptions()
      options.firstPollDelay = .zero
      options.trustedKeys = [try publicKey(name)]
      return try TableStream(
        "main", database: app, from: .static(target + "/main/v1"), options: options
      ).syncBlocking { _ in }
    }
    let error = #expect(throws: StreamError.self) { try sync(trusting: "other") }
    #expect(error?.reason == .signatureInvalid)
    #expect(try sync(trusting: "key").rows == 1)
    #expect(
      try Connection(path: app, mode: .readOnly).scalarInteger("SELECT count(*) FROM t") == 2)
    // Who asks for no signature reads it as well.
    let capture = CapturedConsole()
    #expect(
      capture.run("stream", app, "--once", "--source", target) == .success, "\(capture.error)")
  }

  /// Runs a command, and once more with a trusted key.
  private func run(
    _ arguments: [String], trusting names: String...
  ) -> (code: ExitCode, output: String, error: String) {
    let capture = CapturedConsole()
    let keys = names.flatMap { ["--trusted-key", directory.path($0)] }
    let code = CommandLineTool.run(arguments + keys, on: capture.console)
    return (code, capture.output, capture.error)
  }

  @Test func `verify asks for the signature of a trusted key`() throws {
    try makeKey("other")
    let verify = ["verify", database, "--published", target]
    #expect(try publish().code == .success)
    let unsigned = run(verify, trusting: "key.public.pem")
    #expect(unsigned.code == .finding)
    #expect(unsigned.output.contains("the head is not signed, and a trusted key is given"))
    #expect(run(verify).code == .success)

    #expect(try publish("--sign", directory.path("key.pem")).code == .success)
    #expect(run(verify).code == .success)
    for names in [["key.public.pem"], ["key.public.der"]] {
      let sound = run(verify, trusting: names[0])
      #expect(sound.code == .success, "\(sound)")
    }
    #expect(run(verify, trusting: "other.public.pem", "key.public.pem").code == .success)
    let stranger = run(verify + ["--json"], trusting: "other.public.pem")
    #expect(stranger.code == .finding)
    let findings = try JSONValue(parsing: Array(stranger.output.utf8))["findings"]?.arrayValue
    #expect(findings?.map { $0["code"] } == ["stream-signature"])

    // A letter of the payload, of the header, of the signature.
    let sound = try #require(String(bytes: directory.bytes(of: head), encoding: .utf8))
    for member in ["payload", "protected", "signature"] {
      let start = try #require(sound.firstRange(of: "\"\(member)\":\"")).upperBound
      let index = sound.index(start, offsetBy: 5)
      var tampered = sound
      tampered.replaceSubrange(index...index, with: sound[index] == "A" ? "B" : "A")
      try directory.write(tampered, to: head)
      let found = run(verify, trusting: "key.public.pem")
      #expect(found.code == .finding, "\(member): \(found)")
      #expect(
        found.output.contains("the head's signature is not that of a trusted key, or the head was"),
        "\(member): \(found.output)")
      let stream = run(
        ["stream", database, "--once", "--source", target], trusting: "key.public.pem")
      #expect(stream.code == .badInput, "\(member): \(stream.error)")
    }
  }

  @Test func `a stream is followed only with the signature of a trusted key`() throws {
    try makeKey("other")
    let stream = ["stream", database, "--once", "--source", target]
    #expect(try publish().code == .success)
    let unsigned = run(stream, trusting: "key.public.pem")
    #expect(unsigned.code == .badInput)
    #expect(unsigned.error.contains("the head is not signed with a trusted key"))
    #expect(try publish("--sign", directory.path("key.pem")).code == .success)
    let signed = run(stream, trusting: "key.public.pem")
    #expect(signed.code == .success, "\(signed.error)")
    #expect(run(stream, trusting: "other.public.pem").code == .badInput)
    #expect(run(stream, trusting: "other.public.pem", "key.public.pem").code == .success)
    // Nothing of a dynamic source is signed.
    let dynamic = run(
      ["stream", database, "--once", "--dynamic", "--source", "https://a.test/s"],
      trusting: "key.public.pem")
    #expect(dynamic.code == .usage)
    #expect(run(["verify", database], trusting: "key.public.pem").code == .usage)
  }

  @Test func `a trusted key comes in any form in which keys are handed on`() throws {
    try makeKey("other")
    let (one, other) = (try publicKey("key"), try publicKey("other"))
    func web(_ key: [UInt8]) -> String {
      let text = Data(key).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      return "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(text.prefix(43))\"}"
    }
    let pem = try ["key", "other"].map { try directory.bytes(of: "\($0).public.pem") }
    for (bytes, keys) in [
      (pem[0], [one]), (pem[0] + pem[1], [one, other]), (one, [one]),
      (try directory.bytes(of: "key.public.der"), [one]), (Array(web(one).utf8), [one]),
      (Array("{\"keys\":[\(web(one)),\(web(other))]}".utf8), [one, other]),
      (Array(String(decoding: pem[0], as: UTF8.self).replacing("\n", with: "\r\n").utf8), [one]),
    ] {
      let path = try directory.write(bytes, to: "trusted")
      #expect(try TrustedKeys.read(at: path) == keys)
    }
  }

  @Test func `a file without a trusted key is an error about the file`() throws {
    try openssl("genpkey", "-algorithm", "x25519", "-out", directory.path("x.pem"))
    try openssl(
      "pkey", "-in", directory.path("x.pem"), "-pubout", "-out", directory.path("x.public.pem"))
    let pem = try directory.bytes(of: "key.public.pem")
    try directory.write(pem + directory.bytes(of: "x.public.pem"), to: "mixed.pem")
    try directory.write("no key", to: "text")
    try directory.write("{}", to: "object")
    try directory.write("", to: "empty")
    #expect(try publish("--sign", directory.path("key.pem")).code == .success)
    let stream = ["stream", database, "--once", "--source", target]
    for (name, code) in [
      ("none", ExitCode.missingInput), ("text", .badInput), ("object", .badInput),
      ("empty", .badInput), ("x.public.pem", .badInput), ("mixed.pem", .badInput),
      ("key.pem", .badInput),
    ] {
      let refused = run(stream, trusting: name)
      #expect(refused.code == code, "\(name): \(refused.error)")
      #expect(refused.error.contains("openssl pkey -in key.pem -pubout"), "\(refused.error)")
    }
    #expect(run(stream, trusting: "key.pem").error.contains("is a private key"))
  }

  @Test func `a signed head is not replaced by one without a signature`() throws {
    #expect(try publish().code == .success)
    let key = directory.path("key.pem")
    // The same content, signed from now on.
    #expect(try publish("--sign", key).code == .success)
    let signed = try directory.bytes(of: head)
    #expect(try SignedHead.payload(of: document(), keys: [publicKey("key")]) != nil)
    #expect(try publish("--sign", key).code == .success)
    #expect(try directory.bytes(of: head) == signed)
    for arguments in [[], ["--new-epoch"]] {
      let capture = CapturedConsole()
      #expect(
        CommandLineTool.run(
          ["publish", database, "--to", target] + arguments, on: capture.console) == .usage)
      #expect(capture.error.contains("the head is signed"), "\(capture.error)")
      #expect(try directory.bytes(of: head) == signed)
    }
    // A key takes over from another one.
    try makeKey("next")
    #expect(try publish("--sign", directory.path("next.pem")).code == .success)
    #expect(try SignedHead.payload(of: document(), keys: [publicKey("next")]) != nil)
  }

  @Test(arguments: [
    nil, "", "no key", "-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----\n",
  ])
  func `what is no key is an error about the file`(text: String?) throws {
    let path = directory.path("wrong.pem")
    if let text { try directory.write(text, to: "wrong.pem") }
    let refused = try publish("--sign", path)
    #expect(refused.code == (text == nil ? .missingInput : .badInput))
    #expect(refused.error.contains("openssl genpkey -algorithm ed25519"), "\(refused.error)")
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func `a key of another kind is refused`() throws {
    let path = directory.path("x25519.pem")
    try openssl("genpkey", "-algorithm", "x25519", "-out", path)
    #expect(try publish("--sign", path).code == .badInput)
  }
}
