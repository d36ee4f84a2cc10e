import Foundation
import SeedModel
import SeedProject
import Testing

/// A project file of the folder `Fixtures`.
///
/// `valid` ones are understood; `invalid` ones have a structure that neither the decoder nor the
/// JSON Schema accepts; `rejected` ones are no JSON, or say what only the decoder can tell is wrong.
struct Fixture: CustomTestStringConvertible, Sendable {
  var url: URL

  var testDescription: String { url.deletingPathExtension().lastPathComponent }

  static let tests = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
  static let folder = tests.appendingPathComponent("Fixtures")
  /// The package's own folder.
  static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

  static func all(in kind: String) throws -> [Fixture] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appendingPathComponent(kind), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.map(Fixture.init)
  }

  static func named(_ name: String) -> Fixture {
    Fixture(url: folder.appendingPathComponent(name + ".json"))
  }

  /// The file that holds what is said about this one.
  var expectation: URL { url.deletingPathExtension().appendingPathExtension("txt") }

  func bytes() throws -> [UInt8] { try [UInt8](Data(contentsOf: url)) }

  func project() throws -> Project {
    try ProjectFile.decode(bytes(), path: "seed.json")
  }
}

extension Diagnostic {
  /// The diagnostic as the command line prints it, but for colours and escapes.
  var rendered: String {
    var lines = ["\(location?.description ?? "seed"): \(severity.rawValue): \(message)"]
    if let excerpt {
      lines.append(excerpt.text)
      lines.append(String(repeating: " ", count: excerpt.caretOffset) + "^")
    }
    if let hint { lines.append("hint: \(hint)") }
    return lines.joined(separator: "\n") + "\n"
  }
}
