import Foundation

/// A certificate for loopback that nobody trusts by itself, made by the openssl tool.
package struct TestCertificate: Sendable {
  /// The certificate in PEM form; a client that is to trust it names this file.
  package var certificatePath: String
  package var keyPath: String

  /// Whether the openssl tool is there.
  package static var isAvailable: Bool {
    ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
      .contains { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Makes a certificate in a directory.
  ///
  /// - Parameters:
  ///   - directory: Where the two files go.
  ///   - names: Whom it is for, as openssl writes it.
  /// - Throws: An error when openssl fails.
  package init(in directory: TemporaryDirectory, names: String = "IP:127.0.0.1") throws {
    certificatePath = directory.path("certificate.pem")
    keyPath = directory.path("key.pem")
    let run = try CommandRun.run(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes", "-days", "2", "-subj", "/CN=seed test", "-addext", "subjectAltName=\(names)",
        "-keyout", keyPath, "-out", certificatePath,
      ])
    guard run.status == 0 else { throw TestServerError(message: run.errorText) }
  }
}

/// A server or a tool of the tests that did not come up.
package struct TestServerError: Error, CustomStringConvertible {
  var message: String
  package var description: String { message }
}
