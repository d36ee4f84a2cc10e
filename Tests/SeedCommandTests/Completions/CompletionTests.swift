import Foundation
import TestSupport
import Testing

@testable import SeedCommand

/// Asks the shells themselves what they offer.
@Suite struct CompletionTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("", to: "data.xml")
    try directory.makeDirectory("dark")
  }

  private static func isExpected(_ shell: Shell) -> Bool {
    InstalledProgram.isExpected(InstalledProgram.path(of: shell.rawValue))
  }

  /// Runs a line in a shell that knows `$1` as the script and `$2` as the command line.
  private func run(_ shell: Shell, _ arguments: [String]) throws -> CommandRun {
    let program = try #require(
      InstalledProgram.path(of: shell.rawValue),
      "\(shell.rawValue) is missing: apt-get install \(shell.rawValue)")
    return try CommandRun.run(
      program, arguments,
      environment: ["HOME": directory.path, "PATH": "/usr/bin:/bin", "TERM": "dumb"],
      directory: directory.path)
  }

  /// What a shell offers at the end of a command line.
  private func offers(
    _ shell: Shell, _ line: String,
    for commands: [CommandSpecification] = CommandLineTool.specifications
  ) throws -> [String] {
    let script = try directory.write(shell.completions(of: commands), to: "script")
    let run =
      switch shell {
      case .bash:
        try run(
          shell,
          [
            "--norc", "-c",
            "source \"$1\"; " + Self.bashCall + "printf '%s\\n' \"${COMPREPLY[@]}\"",
            "bash", script, line,
          ])
      case .zsh:
        try run(
          shell,
          ["-f", Project.checkers.appendingPathComponent("zsh_completions.zsh").path, script, line])
      case .fish:
        try run(
          shell,
          ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line])
      }
    #expect(run.status == 0, "\(run.errorText)")
    #expect(run.errorText.isEmpty)
    return run.text.split(separator: "\n").map { line in
      String(line.split(separator: "\t").first ?? line)
    }
  }

  /// Splits the command line as bash does for completion, at blanks and at `=`.
  private static let bashCall = """
    COMP_WORDS=(); for word in ${2//=/ = }; do COMP_WORDS+=("$word"); done
    [[ $2 == *[[:space:]] ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _seed;
    """

  @Test(.enabled(if: isExpected(.zsh), "zsh is not installed here"))
  func `zsh finds no fault in its script`() throws {
    let script = try directory.write(
      Shell.zsh.completions(of: CommandLineTool.specifications), to: "_seed")
    let run = try run(.zsh, ["-f", "-n", script])
    #expect(run.status == 0)
    #expect(run.errorText.isEmpty)
  }

  @Test(.enabled(if: isExpected(.fish), "fish is not installed here"))
  func `fish finds no fault in its script`() throws {
    let script = try directory.write(
      Shell.fish.completions(of: CommandLineTool.specifications), to: "seed.fish")
    let run = try run(.fish, ["--no-config", "--no-execute", script])
    #expect(run.status == 0)
    #expect(run.errorText.isEmpty)
  }

  private static let cases: [(line: String, offers: [String])] = [
    ("seed buil", ["build"]),
    ("seed help inspe", ["inspect"]),
    ("seed completions ", ["bash", "fish", "zsh"]),
    ("seed build --no-pro", ["--no-progress"]),
    ("seed build --page-size 1", ["1024", "16384"]),
    ("seed verify --verb", ["--verbose"]),
    ("seed schema a.xml --tim", ["--time-zone"]),
    ("seed nonsense --", []),
  ]

  private func check(_ shell: Shell, _ index: Int) throws {
    let (line, expected) = Self.cases[index]
    // zsh and fish show an option that takes a value with the sign that may follow.
    let offers = try offers(shell, line).map { $0.hasSuffix("=") ? String($0.dropLast()) : $0 }
    #expect(offers.sorted() == expected, "\(line)")
  }

  @Test(.enabled(if: isExpected(.bash), "bash is not installed here"), arguments: cases.indices)
  func `bash offers what fits`(index: Int) throws {
    try check(.bash, index)
  }

  @Test(.enabled(if: isExpected(.zsh), "zsh is not installed here"), arguments: cases.indices)
  func `zsh offers what fits`(index: Int) throws {
    try check(.zsh, index)
  }

  @Test(.enabled(if: isExpected(.fish), "fish is not installed here"), arguments: cases.indices)
  func `fish offers what fits`(index: Int) throws {
    try check(.fish, index)
  }

  @Test(
    .enabled(if: isExpected(.bash) && isExpected(.zsh) && isExpected(.fish), "a shell is missing"),
    arguments: CommandLineTool.specifications.map(\.name), Shell.allCases)
  func `every option of every command is offered`(name: String, shell: Shell) throws {
    let command = try #require(CommandLineTool.specifications.first { $0.name == name })
    let offers = Set(
      try offers(shell, "seed \(name) --").map { $0.hasSuffix("=") ? String($0.dropLast()) : $0 })
    #expect(offers.isSuperset(of: command.allOptions.map(\.spelling)))
  }

  /// Commands that take what no command of the tool takes yet.
  private static let others = [
    CommandSpecification(
      name: "copy", summary: "Copy it's [all]: a\\b.",
      operand: OperandSpecification(
        name: "folder", count: 1...1, help: "", missingHint: "", kind: .directory),
      options: [
        OptionSpecification(
          "to", letter: "t", .value(placeholder: "DIRECTORY"), help: "It's [x]: y."),
        OptionSpecification("from", .value(placeholder: "FILE"), help: "Where. Else."),
      ])
  ]

  @Test(
    .enabled(if: isExpected(.zsh) && isExpected(.fish), "a shell is missing"),
    arguments: [Shell.zsh, .fish])
  func `files and directories are offered where they belong`(shell: Shell) throws {
    func paths(_ line: String) throws -> [String] {
      try offers(shell, line, for: Self.others).map {
        $0.hasSuffix("/") ? String($0.dropLast()) : $0
      }
      .sorted()
    }
    #expect(try paths("seed copy da") == ["dark"])
    #expect(try paths("seed copy --to da") == ["dark"])
    #expect(try paths("seed copy --from da") == ["dark", "data.xml"])
    #expect(try paths("seed copy --to=da").last?.hasSuffix("dark") == true)
  }

  @Test(.enabled(if: isExpected(.bash), "bash is not installed here"))
  func `bash is left to offer files itself, and is given directories and values after a sign`()
    throws
  {
    #expect(try offers(.bash, "seed inspect da").isEmpty)
    #expect(try offers(.bash, "seed copy da", for: Self.others) == ["dark"])
    #expect(try offers(.bash, "seed copy --to=da", for: Self.others) == ["dark"])
    #expect(try offers(.bash, "seed build --format=x") == ["xml"])
    #expect(try offers(.bash, "seed build -- --j").isEmpty)
  }

  @Test(.enabled(if: isExpected(.fish), "fish is not installed here"))
  func `explanations survive the quoting`() throws {
    let script = try directory.write(Shell.fish.completions(of: Self.others), to: "seed.fish")
    let run = try run(
      .fish, ["--no-config", "-c", "source $argv[1]; complete -C 'seed copy --t'", script])
    #expect(run.text == "--to\tIt's [x]: y\n")
  }

  @Test func `an unknown shell is refused with the known ones`() {
    let capture = CapturedConsole()
    #expect(capture.run("completions", "tcsh") == .usage)
    #expect(
      capture.error == "seed: error: \"tcsh\" is not a known shell\nhint: use bash, zsh or fish\n")
  }

  @Test(arguments: Shell.allCases)
  func `the command prints the script`(shell: Shell) {
    let capture = CapturedConsole()
    #expect(capture.run("completions", shell.rawValue) == .success)
    #expect(capture.output == shell.completions(of: CommandLineTool.specifications))
    #expect(capture.error.isEmpty)
  }
}
