import SeedFetch
import SeedModel
import SeedPublisher
import SeedServer
import SeedStreams

/// `seed serve`: answers a client of streams as a server would, with faults on request.
struct ServeCommand: Command {
  static let specification = CommandSpecification(
    name: "serve", summary: "Serve published streams, for trying an app against.",
    discussion: [
      "Serves what \"seed publish\" wrote to a directory: the static files of each stream at "
        + "/NAME/v1/, as any web server would, and the dynamic protocol over the same history at "
        + "/v1/streams/NAME. Prints its address and those of the streams, and runs until it is "
        + "interrupted.",
      "A reference for tests and for the desk, not for the public: it listens on this machine alone "
        + "unless --host says otherwise, and speaks no TLS.",
      "--fault has answers go wrong. A plan is a list with commas: each request suffers the next of "
        + "its faults, the first again after the last. drop=BYTES, reset=BYTES and stall=BYTES "
        + "break an answer off after so many bytes of its body, status=CODE answers an error, "
        + "retry-after=SECONDS with it, delay=MS waits first; \"none\" is a request without a fault, "
        + "\"+\" joins faults of one request. \"once\" in the list ends the faults after its last, "
        + "every=N lets only every Nth request take part.",
    ],
    operand: OperandSpecification(
      name: "directory", count: 1...1, help: "What \"seed publish --to\" wrote.",
      missingHint: "give the directory that \"seed publish --to\" wrote", kind: .directory),
    options: [
      OptionSpecification(
        "port", .value(placeholder: "N"), help: "The port. Without it, one that is free."),
      OptionSpecification(
        "host", .value(placeholder: "ADDRESS"),
        help: "The address to listen on; 0.0.0.0 for all of this machine's. Without it, 127.0.0.1."),
      OptionSpecification(
        "token", .value(placeholder: "TOKEN"),
        help:
          "Answer only requests with the header 'Authorization: Bearer TOKEN'; $NAME stands for "
          + "an environment variable."),
      OptionSpecification(
        "fault", .value(placeholder: "PLAN"),
        help: "Have answers go wrong, such as drop=200,status=503,delay=500."),
      OptionSpecification(
        "page-size", .value(placeholder: "BYTES"),
        help: "The most bytes between two places from which a dynamic answer can be resumed. "
          + "Without it, 1048576."),
      OptionSpecification(
        "redirect", help: "Send dynamic clients that are behind to the static files."),
      OptionSpecification(
        "verbose", help: "Print a line for each request on the standard error."),
    ],
    examples: [
      "seed serve public", "seed serve public --port 8080 --verbose",
      "seed serve public --fault drop=200,status=503,delay=500",
    ])

  private let arguments: ParsedArguments
  private let options: ServerOptions

  init(parsing arguments: ParsedArguments) throws {
    self.arguments = arguments
    var options = ServerOptions()
    if let port = try Self.number("port", arguments, 0...65535) { options.port = UInt16(port) }
    if let size = try Self.number("page-size", arguments, 1...(1 << 30)) {
      options.pageByteCount = size
    }
    if let address = arguments.value(of: "host") { options.address = address }
    if let text = arguments.value(of: "fault") {
      do throws(FaultPlan.Problem) {
        options.faults = try FaultPlan(text)
      } catch {
        throw UsageError(
          .invalidValue(error.part, option: "--fault", allowed: []), command: arguments.command,
          hint: error.hint)
      }
    }
    if let text = arguments.value(of: "token") {
      let token = try FetchValue(template: text).resolved(ProcessEnvironment.value)
      guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw UsageError(
          .invalidValue(text, option: "--token", allowed: []), command: arguments.command,
          hint: "give visible ASCII characters; an unset shell variable is empty")
      }
      options.token = token
    }
    options.redirectsToFiles = arguments.has("redirect")
    self.options = options
  }

  private static func number(
    _ option: String, _ arguments: ParsedArguments, _ range: ClosedRange<Int>
  ) throws(UsageError) -> Int? {
    guard let text = arguments.value(of: option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        .invalidValue(text, option: "--\(option)", allowed: []), command: arguments.command,
        hint: "give a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func validate() throws {
    guard !arguments.operands[0].isEmpty else {
      throw UsageError(
        .emptyPath("directory"), command: arguments.command,
        hint: "give the directory that \"seed publish --to\" wrote")
    }
  }

  func run(on console: Console) throws -> ExitCode {
    var stop = StopSignal()
    let isVerbose = arguments.has("verbose")
    let server = try StreamServer(directory: arguments.operands[0], options: options) { request in
      if isVerbose || request.failure != nil {
        console.printMessage(ServedRequestText.line(of: request) + "\n")
      }
    }
    try console.printResult(Self.text(of: streams(console), at: server.url))
    stop.wait()
    server.stop()
    return .success
  }

  /// The streams that there are; one that is published later is served, too.
  private func streams(_ console: Console) throws -> [String] {
    let directory = arguments.operands[0]
    let names = try PublishedStreams.names(in: directory)
    if names.isEmpty {
      console.report(
        Diagnostic(
          .warning, "no stream is published here yet", at: SourceLocation(file: directory),
          hint: "run \"seed publish DATABASE --to \(directory)\"; streams are served from then on"))
    }
    return names
  }

  /// The addresses of streams, a line for each way to follow one; that of the server, which is no
  /// source, only where there are none.
  static func text(of streams: [String], at url: String) -> String {
    guard !streams.isEmpty else { return "\(url)/\n" }
    return streams.map { name in
      """
      \(url)/\(StreamLayout.folder(of: name))
      \(url)/v1/streams/\(name) (--dynamic)

      """
    }.joined()
  }
}
