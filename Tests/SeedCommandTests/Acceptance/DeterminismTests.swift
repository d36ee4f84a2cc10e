import Foundation
import Testing

/// The same input gives the same bytes, wherever and however it is built.
@Suite struct DeterminismTests {
  static let inputs = [
    Project.seeds.appendingPathComponent("orders/Orders.xml"),
    Project.seeds.appendingPathComponent("stackexchange/Posts.xml"),
    Project.seeds.appendingPathComponent("events/Events.xml"),
    URL(fileURLWithPath: "/usr/share/xml/iso-codes/iso_4217.xml"),
  ]

  /// Copies the input into a folder of its own and builds there with relative paths.
  func bytes(
    of input: URL, in workspace: Workspace, folder: String, environment: [String: String] = [:]
  ) async throws -> Data {
    let name = input.lastPathComponent
    try workspace.write(try Data(contentsOf: input), to: "\(folder)/\(name)")
    return try await bytes(
      in: workspace, ["build", "\(folder)/\(name)", "-o", "\(folder)/made.sqlite"],
      output: "\(folder)/made.sqlite", environment: environment)
  }

  func bytes(
    in workspace: Workspace, _ arguments: [String], output: String,
    environment: [String: String] = [:], input: URL? = nil
  ) async throws -> Data {
    let outcome = try await workspace.seed(arguments, environment: environment, input: input)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try Data(contentsOf: workspace.folder.appendingPathComponent(output))
  }

  @Test(arguments: inputs)
  func `folder, time zone and locale leave no trace`(input: URL) async throws {
    let workspace = try Workspace()
    let first = try await bytes(
      of: input, in: workspace, folder: "a", environment: ["TZ": "UTC", "LC_ALL": "C"])
    let second = try await bytes(
      of: input, in: workspace, folder: "a longer folder/b",
      environment: ["TZ": "Asia/Kolkata", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"])
    #expect(first.count >= 4096)
    #expect(first == second)
  }

  @Test(arguments: inputs)
  func `user and home leave no trace, nor in what is recorded`(input: URL) async throws {
    let workspace = try Workspace()
    let name = input.lastPathComponent
    var made: [[Data]] = []
    for (folder, environment) in [
      ("a", ["HOME": "/root", "USER": "root", "TZ": "UTC", "LANG": "C", "LC_ALL": "C"]),
      (
        "b/c",
        [
          "HOME": "/nowhere", "USER": "somebody", "LOGNAME": "somebody", "TZ": "America/St_Johns",
          "LANG": "de_DE.UTF-8", "LC_ALL": "ar_EG.UTF-8",
        ]
      ),
    ] {
      try workspace.write(try Data(contentsOf: input), to: "\(folder)/\(name)")
      let output = workspace.folder.appendingPathComponent("\(folder)/made.sqlite")
      // Once by the path from here and once by the whole path.
      let prefix = made.isEmpty ? "\(folder)/" : workspace.folder.path + "/\(folder)/"
      let database = try await bytes(
        in: workspace,
        ["build", prefix + name, "-o", prefix + "made.sqlite", "--if-changed", "--manifest"],
        output: "\(folder)/made.sqlite", environment: environment)
      let manifest = try String(
        contentsOf: output.appendingPathExtension("manifest.json"), encoding: .utf8)
      // The manifest has the input's name as it was given, here below a folder.
      made.append([
        database, Data(manifest.replacing("\"a/\(name)\"", with: "\"\(name)\"").utf8),
      ])
    }
    #expect(made[0] == made[1])
  }

  @Test(arguments: inputs)
  func `standard input and gzip give the same bytes as the file`(input: URL) async throws {
    let workspace = try Workspace()
    let file = try await bytes(of: input, in: workspace, folder: "a")
    let piped = try await bytes(
      in: workspace, ["build", "-", "-o", "piped.sqlite"], output: "piped.sqlite", input: input)
    #expect(piped == file, "standard input")
    let gzip = try await ChildProcess.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["gzip", "-k", "-n", "a/\(input.lastPathComponent)"],
      in: workspace.folder)
    try #require(gzip.status == 0, "\(gzip.errors)")
    let compressed = "a/\(input.lastPathComponent).gz"
    let packed = try await bytes(
      in: workspace, ["build", compressed, "-o", "packed.sqlite"], output: "packed.sqlite")
    #expect(packed == file, "gzip")
    let both = try await bytes(
      in: workspace, ["build", "-", "-o", "both.sqlite"], output: "both.sqlite",
      input: workspace.folder.appendingPathComponent(compressed))
    #expect(both == file, "gzip on standard input")
  }

  @Test func `a second build over the first gives the same bytes`() async throws {
    let workspace = try Workspace()
    let first = try await bytes(of: Self.inputs[0], in: workspace, folder: "a")
    let second = try await bytes(of: Self.inputs[0], in: workspace, folder: "a")
    #expect(first == second)
  }
}
