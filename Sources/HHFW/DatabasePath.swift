internal import Foundation
internal import SeedStreams

/// The three spellings of the place of a database, or of the download folder: a bare name,
/// `/Documents/NAME`, an absolute path.
internal struct DatabasePath {
  /// The absolute path.
  internal let text: String

  /// The database of calls that name none.
  internal static let defaultName = "database.sqlite"
  private static let documents = "/Documents/"

  /// Finds the file that a spelling means.
  ///
  /// - Throws: ``HyperHiveError`` for an empty one, and for `..` below the documents.
  internal init(_ spelling: String) throws {
    let isBelow = spelling.hasPrefix(Self.documents)
    if spelling.hasPrefix("/"), !isBelow {
      text = spelling
    } else {
      let name = isBelow ? String(spelling.dropFirst(Self.documents.count)) : spelling
      guard !name.isEmpty, !name.split(separator: "/").contains("..") else {
        throw HyperHiveError.invalidPath(spelling)
      }
      text = try Self.documentsDirectory() + "/" + name
    }
    guard !text.utf8.contains(0), !text.hasSuffix("/") else {
      throw HyperHiveError.invalidPath(spelling)
    }
  }

  /// Finds the folder that a spelling means.
  ///
  /// - Throws: As ``init(_:)`` does.
  internal init(folder spelling: String) throws {
    var name = spelling[...]
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    try self.init(String(name))
  }

  /// The app's documents, made where they are missing, as on Linux.
  private static func documentsDirectory() throws -> String {
    try FileManager.default.url(
      for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true
    ).path
  }
}
