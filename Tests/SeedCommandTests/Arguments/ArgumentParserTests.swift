import Testing

@testable import SeedCommand

@Suite struct ArgumentParserTests {
  private static let specification = CommandSpecification(
    name: "copy", summary: "Copy.",
    operand: OperandSpecification(
      name: "file", count: 1...2, help: "A file.", missingHint: "give a file"),
    options: [
      OptionSpecification("output", letter: "o", .value(placeholder: "FILE"), help: "Where to."),
      OptionSpecification("mode", .choice(["fast", "safe"]), help: "How."),
      OptionSpecification("zone", .value(placeholder: "ZONE"), help: "Where."),
      OptionSpecification("all", letter: "a", help: "All."),
      OptionSpecification("quick", letter: "q", help: "Quick."),
      OptionSpecification("verbose", help: "Words."),
    ],
    conflicts: [("all", "quick")])

  private func parse(_ arguments: String...) throws(UsageError) -> ParsedArguments {
    try ArgumentParser.parse(arguments, for: Self.specification)
  }

  private func error(_ arguments: [String]) -> UsageError? {
    do {
      _ = try ArgumentParser.parse(arguments, for: Self.specification)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ["in", "--output", "out"], ["--output=out", "in"], ["-o", "out", "in"], ["-oout", "in"],
    ["in", "-o=out"],
  ])
  func `an option's value follows it, or an equals sign`(arguments: [String]) throws {
    let parsed = try ArgumentParser.parse(arguments, for: Self.specification)
    #expect(parsed.value(of: "output") == "out")
    #expect(parsed.operands == ["in"])
  }

  @Test func `a value may be empty, hold an equals sign, be a dash or start with a sign`() throws {
    #expect(try parse("in", "--output=").value(of: "output")?.isEmpty == true)
    #expect(try parse("in", "--output", "").value(of: "output")?.isEmpty == true)
    #expect(try parse("in", "--output=a=b").value(of: "output") == "a=b")
    #expect(try parse("in", "-o", "-").value(of: "output") == "-")
    #expect(try parse("in", "--zone", "-05:00").value(of: "zone") == "-05:00")
    #expect(try parse("in", "--zone=-x").value(of: "zone") == "-x")
  }

  @Test func `a dash alone is an operand, and so is all after two dashes`() throws {
    #expect(try parse("-", "--", "--all").operands == ["-", "--all"])
    #expect(try parse("--", "-").operands == ["-"])
    #expect(try !parse("--", "--all").has("all"))
  }

  @Test func `flags are present or absent`() throws {
    let parsed = try parse("-a", "in")
    #expect(parsed.has("all"))
    #expect(!parsed.has("quick"))
    #expect(parsed.value(of: "all") == nil)
  }

  @Test func `help is given even when operands are missing`() throws {
    #expect(try parse("--help").has("help"))
    #expect(try parse("-h").has("help"))
    #expect(try parse("-ah").has("help"))
  }

  @Test(
    arguments: [
      (["in", "--ouput", "x"], "--ouput", "did you mean \"--output\"?"),
      (["in", "--outpt=x"], "--outpt", "did you mean \"--output\"?"),
      (["in", "-output", "x"], nil, nil),
      (["in", "--xyzzy"], "--xyzzy", "run \"seed help copy\" to see what it takes"),
      (["in", "-x"], "-x", "run \"seed help copy\" to see what it takes"),
      (["in", "-v"], "-v", "did you mean \"--verbose\"?"),
      (["in", "-all"], "-all", "did you mean \"--all\"?"),
      (["in", "---all"], "---all", "did you mean \"--all\"?"),
      (["in", "--ALL"], "--ALL", "did you mean \"--all\"?"),
    ] as [([String], String?, String?)])
  func `an unknown option names the nearest one`(
    arguments: [String], option: String?, advice: String?
  ) {
    let error = error(arguments)
    #expect(error?.reason == option.map { .unknownOption($0) })
    #expect(error?.advice == advice)
  }

  @Test(
    arguments: [
      (["in", "--output"], UsageError.Reason.missingValue(option: "--output")),
      (["in", "-o"], .missingValue(option: "-o")),
      (["in", "--output", "--all"], .missingValue(option: "--output")),
      (["in", "--all=yes"], .unexpectedValue(option: "--all")),
      (["in", "-a", "--all"], .repeatedOption("--all")),
      (["in", "-o", "x", "--output", "x"], .repeatedOption("--output")),
      (
        ["in", "--mode", "slow"],
        .invalidValue("slow", option: "--mode", allowed: ["fast", "safe"])
      ),
      (["in", "--mode="], .invalidValue("", option: "--mode", allowed: ["fast", "safe"])),
      (["in", "-aq"], .conflictingOptions("--all", "--quick")),
      ([], .missingOperand("file")),
      (["a", "b", "c"], .unexpectedOperand("c")),
    ] as [([String], UsageError.Reason)])
  func `a command line that breaks a rule says which`(
    arguments: [String], reason: UsageError.Reason
  ) {
    let error = error(arguments)
    #expect(error?.reason == reason)
    #expect(error?.command == "copy")
    #expect(error?.advice.isEmpty == false)
  }

  @Test func `a bad value lists the allowed ones`() {
    #expect(error(["in", "--mode", "slow"])?.advice == "use fast or safe")
  }
}
