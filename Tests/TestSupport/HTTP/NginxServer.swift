import Foundation

/// A real nginx that serves a directory on loopback, and is stopped with the last reference.
package final class NginxServer: Sendable {
  package let port: Int
  package let scheme: String
  private let directory: TemporaryDirectory
  private let process: Process

  /// Where Debian puts it, and others.
  private static let program = [
    "/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
  ].first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether nginx is installed.
  package static var isAvailable: Bool { program != nil }

  /// How many ports are tried: another program may take a free one first.
  private static let mostAttempts = 5

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - root: The directory that is served.
  ///   - certificate: For TLS; without one it speaks plain HTTP.
  ///   - directives: Further lines of its configuration, such as `gzip on;`.
  /// - Throws: An error when it does not come up.
  package init(
    root: String, certificate: TestCertificate? = nil, directives: String = ""
  ) throws {
    guard let program = Self.program else { throw TestServerError(message: "no nginx") }
    directory = try TemporaryDirectory()
    scheme = certificate == nil ? "http" : "https"
    for attempt in 1... {
      let port = try HTTPFaultServer.closedPort()
      try directory.write(
        Self.configuration(
          in: directory.path, root: root, port: port, certificate: certificate,
          directives: directives),
        to: "nginx.conf")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = [
        "-p", directory.path, "-c", directory.path("nginx.conf"), "-e", directory.path("error.log"),
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      if Self.isUp(process, port: port) {
        self.port = port
        self.process = process
        return
      }
      Self.stop(process)
      guard attempt < Self.mostAttempts else {
        throw TestServerError(message: try directory.text(of: "error.log"))
      }
    }
    preconditionFailure("the loop above ends by itself")
  }

  deinit {
    Self.stop(process)
  }

  /// Ends the server, which has nothing to lose.
  ///
  /// SIGKILL because it inherits the signals that the test's thread blocks, SIGTERM among them.
  private static func stop(_ process: Process) {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// An address at the server.
  package func url(_ path: String, host: String = "127.0.0.1") -> String {
    "\(scheme)://\(host):\(port)\(path)"
  }

  /// What the server wrote about each request.
  package var accessLog: String {
    get throws { try directory.text(of: "access.log") }
  }

  private static func configuration(
    in directory: String, root: String, port: Int, certificate: TestCertificate?,
    directives: String
  ) -> String {
    let tls = certificate.map {
      "ssl_certificate \($0.certificatePath); ssl_certificate_key \($0.keyPath);"
    }
    return """
      daemon off;
      master_process off;
      pid \(directory)/nginx.pid;
      error_log \(directory)/error.log;
      events {}
      http {
        access_log \(directory)/access.log;
        client_body_temp_path \(directory)/body;
        proxy_temp_path \(directory)/proxy;
        fastcgi_temp_path \(directory)/fastcgi;
        uwsgi_temp_path \(directory)/uwsgi;
        scgi_temp_path \(directory)/scgi;
        server {
          listen 127.0.0.1:\(port)\(certificate == nil ? "" : " ssl");
          \(tls ?? "")
          root \(root);
          \(directives)
        }
      }
      """
  }

  /// Waits until the server takes connections; false if it ends instead.
  private static func isUp(_ process: Process, port: Int) -> Bool {
    for _ in 0..<1000 where process.isRunning {
      if LoopbackSocket.canConnect(to: port) { return true }
      // There is nothing to wait for but the port itself.
      _ = poll(nil, 0, 10)
    }
    return false
  }
}
