import Foundation
import SeedBuilder
import SeedFetch
import SeedFiles
import SeedFormat
import SeedInput
import SeedModel
import SeedSQLite
import SeedTransport
import Testing

@testable import SeedCommand

@Suite struct FailureTests {
  private struct Unknown: Error {}

  private static let place = SourceLocation(file: "a.xml")

  private static func sqlite(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, message: "m", operation: "o", path: "p")
  }

  private static func fetch(_ reason: FetchError.Reason) -> FetchError {
    FetchError(reason, place: "p")
  }

  static let table: [(error: any Error, code: ExitCode)] = [
    (UsageError(.unknownCommand("x"), command: nil), .usage),
    (BuildError(.usage, []), .usage), (BuildError(.input, []), .badInput),
    (BuildError(.missingInput, []), .missingInput),
    (BuildError(.cannotCreate, []), .cannotCreate),
    (BuildError(.inputOutput, []), .inputOutput),
    (BuildError(.internalFault, []), .internalFault),
    (InputError(.missing, at: place), .missingInput),
    (InputError(.isDirectory, at: place), .missingInput),
    (InputError(.unreadable(operation: "open", errno: EACCES), at: place), .missingInput),
    (InputError(.unreadable(operation: "read", errno: EIO), at: place), .inputOutput),
    (InputError(.empty, at: place), .badInput),
    (InspectionError(.notFound, path: "p"), .missingInput),
    (InspectionError(.directory, path: "p"), .missingInput),
    (InspectionError(.notRegular, path: "p"), .missingInput),
    (InspectionError(.notADatabase(.gzip), path: "p"), .badInput),
    (InspectionError(.unreadable(FileError(.open, "p", code: EACCES)), path: "p"), .missingInput),
    (InspectionError(.unreadable(FileError(.read, "p", code: EIO)), path: "p"), .inputOutput),
    (InspectionError(.database(sqlite(11)), path: "p"), .badInput),
    (sqlite(11), .badInput), (sqlite(26), .badInput), (sqlite(14), .missingInput),
    (sqlite(8), .cannotCreate), (sqlite(10), .inputOutput), (sqlite(13), .inputOutput),
    (sqlite(5), .inputOutput), (sqlite(1), .internalFault),
    (PublishError(.isDirectory, path: "p"), .cannotCreate),
    (PublishError(.cannotPublish(FileError(.rename, "p", code: EIO)), path: "p"), .inputOutput),
    (FileError(.open, "p", code: ENOENT), .missingInput),
    (FileError(.write, "p", code: ENOSPC), .inputOutput),
    (fetch(.transport(TransportError(.status(500, retryAfter: nil), url: "u"))), .unavailable),
    (fetch(.transport(TransportError(.invalidURL(.noHost), url: "u"))), .usage),
    (fetch(.missingVariable("X")), .usage), (fetch(.notCached), .missingInput),
    (fetch(.pageLoop("u")), .unavailable), (fetch(.lockMissing), .missingInput),
    (fetch(.lockMalformed("m")), .badInput), (fetch(.notLocked), .badInput),
    (fetch(.lockDiffers(.pageCount(expected: 1, got: 2))), .badInput),
    (fetch(.cache(FileError(.mkdir, "p", code: EACCES))), .cannotCreate),
    (fetch(.cache(FileError(.write, "p", code: ENOSPC))), .inputOutput),
    (fetch(.unwritable(PublishError(.isDirectory, path: "p"))), .cannotCreate),
    (ConsoleError(code: ENOSPC), .inputOutput),
    (ConsoleError(code: EPIPE), .inputOutput),
    (Unknown(), .internalFault),
  ]

  @Test(arguments: table.indices)
  func `every error has its exit code`(index: Int) {
    let (error, code) = Self.table[index]
    #expect(Failure(error).code == code)
  }

  @Test func `exit codes are the documented numbers`() {
    let codes: [ExitCode] = [
      .success, .finding, .usage, .badInput, .missingInput, .unavailable, .internalFault,
      .cannotCreate, .inputOutput, .interrupted,
    ]
    #expect(codes.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 70, 73, 74, 130])
  }

  @Test func `a file's error has its path as place`() throws {
    let diagnostic = try #require(
      Failure(FileError(.open, "in/a.xml", code: EACCES)).diagnostics.first)
    #expect(diagnostic.location == SourceLocation(file: "in/a.xml"))
    #expect(diagnostic.message == "permission denied")
    #expect(diagnostic.hint?.contains("permissions") == true)
  }

  @Test func `a reader that went away needs no message`() {
    #expect(Failure(ConsoleError(code: EPIPE)).diagnostics.isEmpty)
    #expect(
      Failure(ConsoleError(code: ENOSPC)).diagnostics.map(\.message) == [
        "cannot write to the standard output: no space left on device"
      ])
  }

  @Test func `twenty errors are shown and the twentieth is said to be the last`() {
    let error = Diagnostic(.error, "e")
    #expect(Failure(BuildError(.input, [error, error])).diagnostics == [error, error])
    let many = Failure(BuildError(.input, Array(repeating: error, count: 25))).diagnostics
    #expect(many.count == 21)
    #expect(many.last?.message == "too many errors; stopped after the first 20")
  }

  @Test func `an unforeseen error asks for a report`() {
    let diagnostic = Failure(Unknown()).diagnostics.first
    #expect(diagnostic?.message == "internal fault: Unknown()")
    #expect(diagnostic?.hint == "please report this with the command line")
  }
}
