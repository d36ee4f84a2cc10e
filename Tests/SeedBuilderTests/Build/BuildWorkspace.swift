import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport

@testable import SeedBuilder

/// A folder with sources that are built again and again.
struct BuildWorkspace {
  let directory: TemporaryDirectory
  var options: BuildOptions

  static let events = """
    <Events><Event id='1' place='Hof'/><Event id='2' place='Ulm'/><Event id='3' place='Bonn'/></Events>
    """

  init(_ document: String = Self.events) throws {
    directory = try TemporaryDirectory()
    let input = try directory.write(document, to: "Events.xml")
    options = BuildOptions(inputs: [.file(input)], output: directory.path("out.sqlite"))
  }

  /// Writes the source anew with one text replaced by another.
  func change(_ text: String, to other: String) throws {
    let source = try directory.text(of: "Events.xml")
    try directory.write(source.replacing(text, with: other), to: "Events.xml")
  }

  /// Changes the output by SQL.
  func changeOutput(_ sql: String) throws {
    let connection = try Connection(path: options.output, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  /// The bytes of the output.
  var output: [UInt8] { get throws { try directory.bytes(of: "out.sqlite") } }

  /// The stamp in the output.
  var stamp: SeedStamp? {
    get throws {
      let connection = try Connection(path: options.output, mode: .readOnly)
      guard case .present(let stamp) = try SeedStamp.read(from: connection) else { return nil }
      return stamp
    }
  }
}
