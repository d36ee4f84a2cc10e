import SeedInput
import SeedModel
import SeedSQLite

/// The versions of the tool and of the libraries that decide what it makes.
enum Version {
  /// The libraries with the versions that this process loaded.
  static var libraries: [(name: String, version: String)] {
    [("SQLite", SQLite.version), ("libxml2", XMLReader.libraryVersion)]
  }

  /// The line that `seed --version` prints: `seed 0.1.0 (SQLite 3.40.1, libxml2 2.9.14)`.
  static var text: String {
    let libraries = libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    return "seed \(ToolVersion.number) (\(libraries))"
  }
}
