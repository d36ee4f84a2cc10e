package import SeedModel

/// What a check of an output against its inputs found.
package struct CheckReport: Sendable, Hashable {
  /// Something about the output that is not as a build would make it.
  package struct Finding: Sendable, Hashable {
    /// The kind of finding, under a name for programs that does not change between versions.
    package enum Code: String, Sendable {
      /// There is no output.
      case missing
      /// The content is another one; see ``CheckReport/difference``.
      case content
      case pageSize = "page-size"
      case autoVacuum = "auto-vacuum"
      case statistics
      /// The database does not say of streams, or of what the seed owns, what the project file does.
      case declarations
      case stamp
      case manifest
      /// The packed form beside the output is of another database.
      case archive
    }

    /// The kind of finding.
    package var code: Code
    /// What is not as it should be.
    package var message: String

    /// Creates a finding.
    init(_ code: Code, _ message: String) {
      self.code = code
      self.message = message
    }
  }

  /// The output's path as given.
  package var output: String
  /// All that is not as a build would make it; empty when the output is up to date.
  package var findings: [Finding] = []
  /// What a build would change about the content.
  package var difference = DatabaseDifference()

  /// Whether a build would change nothing that matters.
  package var isUpToDate: Bool { findings.isEmpty }

  /// Creates a report without findings.
  init(output: String) {
    self.output = output
  }

  /// What to do about the findings.
  package var advice: String {
    findings.contains { $0.code == .archive }
      ? "run the same command with --compress instead of --check, or delete the packed form"
      : "run the same command without --check"
  }

  /// The report for programs.
  package var json: JSONValue {
    .object(
      [
        JSONValue.Member("output", .string(output)),
        JSONValue.Member("up_to_date", .bool(isUpToDate)),
        JSONValue.Member(
          "findings",
          .array(
            findings.map {
              ["code": .string($0.code.rawValue), "message": .string($0.message)]
            })),
        JSONValue.Member("difference", .object(difference.json)),
      ])
  }
}
