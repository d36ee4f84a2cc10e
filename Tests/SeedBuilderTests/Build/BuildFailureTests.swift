import SeedFiles
import SeedInput
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct BuildFailureTests {
  /// What becomes of an error that a part of the build throws.
  private func described(_ error: any Error) throws -> BuildError {
    do {
      try BuildFailure.described(output: "out.sqlite") { throw error }
    } catch let error as BuildError {
      return error
    }
    throw error
  }

  @Test(arguments: [
    (InputError.Reason.missing, BuildError.Reason.missingInput), (.isDirectory, .missingInput),
    (.unreadable(operation: "open", errno: 13), .missingInput),
    (.unreadable(operation: "read", errno: 5), .inputOutput), (.changedWhileRead, .inputOutput),
    (.tooDeep, .input), (.empty, .input),
  ])
  func `an error of an input keeps its place`(
    reason: InputError.Reason, expected: BuildError.Reason
  ) throws {
    let place = SourceLocation(file: "a.xml", line: 3, column: 7)
    let error = try described(InputError(reason, at: place))
    #expect(error.reason == expected)
    #expect(error.diagnostics.map(\.location) == [place])
    #expect(error.diagnostics.map(\.severity) == [.error])
  }

  @Test func `an error that a part has described already stays`() throws {
    let given = BuildError(.usage, [Diagnostic(.error, "no")])
    #expect(try described(given).diagnostics == given.diagnostics)
  }

  @Test func `a database that cannot be opened cannot be created`() throws {
    let directory = try TemporaryDirectory()
    let error = try #require(throws: SQLiteError.self) {
      try Connection(path: directory.path("missing/x.sqlite"), mode: .create)
    }
    let described = try described(error)
    #expect(described.reason == .cannotCreate)
    #expect(described.diagnostics[0].message.hasPrefix("cannot write out.sqlite: "))
  }

  @Test func `a full disk is no fault of the tool`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("PRAGMA max_page_count = 3; CREATE TABLE t(x)")
    let error = try #require(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    }
    let described = try described(error)
    #expect(described.reason == .inputOutput)
    #expect(described.diagnostics[0].hint != nil)
  }

  @Test func `what cannot be is a fault of the tool and says so`() throws {
    let connection = try Connection.inMemory()
    let wrong = try #require(throws: SQLiteError.self) { try connection.execute("SELEC") }
    let faults: [any Error] = [
      wrong, InternalFault("no"), PublicationCheck.Failure(finding: "row 1 missing"),
    ]
    for fault in faults {
      let described = try described(fault)
      #expect(described.reason == .internalFault)
      #expect(described.diagnostics[0].hint?.contains("report") == true)
    }
  }
}
