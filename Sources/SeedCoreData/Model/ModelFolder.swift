package import SeedFiles
internal import SeedInput
internal import SeedModel

/// Finds the file of a model among what Xcode keeps of one.
///
/// `X.xcdatamodeld` has a folder `Y.xcdatamodel` for each version, with a file `contents` in it, and
/// a property list `.xccurrentversion` that says which of them is current.
package enum ModelFolder {
  /// The file of a model, and what its version is called.
  package struct Choice: Sendable, Hashable {
    /// The path of the file `contents`.
    package var path: String
    /// The name of the version; nil for a bare file.
    package var version: String?
  }

  private static let versionSuffix = ".xcdatamodel"

  /// Whether a path is that of a model by its name alone.
  package static func isModel(_ path: String) -> Bool {
    let name = fileName(path)
    return name.hasSuffix(".xcdatamodeld") || name.hasSuffix(versionSuffix) || name == "contents"
  }

  /// Whether a file is in XML, as no other schema is, whatever it is called.
  package static func isContents(_ path: String, files: FileSystem = .live) -> Bool {
    guard let start = try? files.bytes(of: path, limit: 4_096) else { return false }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = start.starts(with: mark) ? start.dropFirst(mark.count) : start[...]
    return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
  }

  /// The file of a version.
  ///
  /// - Parameters:
  ///   - path: A folder `.xcdatamodeld` or `.xcdatamodel`, or a file.
  ///   - version: The version that is wanted, with or without the end of its folder's name; nil for
  ///     the current one.
  ///   - files: The file system.
  /// - Returns: The file.
  /// - Throws: ``ModelErrors``; ``InputError`` for a path that leads nowhere; ``FileError``.
  package static func choose(
    _ path: String, version: String?, files: FileSystem = .live
  ) throws -> Choice {
    let folder = trimmed(path)
    guard let status = try files.status(folder) else {
      throw InputError(.missingCompanion, at: SourceLocation(file: path))
    }
    guard status.kind == .directory else {
      try refuse(version, at: path)
      return Choice(path: path, version: nil)
    }
    let versions = try self.versions(in: folder, files)
    if versions.isEmpty, try files.status("\(folder)/contents") != nil {
      try refuse(version, at: path)
      return Choice(path: "\(folder)/contents", version: name(ofFolder: fileName(folder)))
    }
    guard !versions.isEmpty else { throw failure(.noVersion, path) }
    let chosen = try version ?? current(in: folder, of: versions, files)
    let wanted = chosen.hasSuffix(versionSuffix) ? name(ofFolder: chosen) : chosen
    guard versions.contains(wanted) else {
      throw failure(.unknownVersion(wanted, known: versions), path)
    }
    let contents = "\(folder)/\(wanted)\(versionSuffix)/contents"
    guard try files.status(contents) != nil else {
      throw failure(.noVersion, "\(folder)/\(wanted)\(versionSuffix)")
    }
    return Choice(path: contents, version: wanted)
  }

  private static func refuse(_ version: String?, at path: String) throws {
    if let version { throw failure(.versionOfSingleModel(version), path) }
  }

  private static func failure(_ reason: ModelError.Reason, _ path: String) -> ModelErrors {
    ModelErrors([ModelError(reason, at: SourceLocation(file: path))])
  }

  // MARK: Versions

  /// The names of the versions, sorted.
  private static func versions(in folder: String, _ files: FileSystem) throws -> [String] {
    try files.names(folder).filter { $0.hasSuffix(versionSuffix) }.map(name(ofFolder:)).sorted()
  }

  /// The version that is current: the one that is named, or the only one.
  private static func current(
    in folder: String, of versions: [String], _ files: FileSystem
  ) throws -> String {
    let path = "\(folder)/.xccurrentversion"
    guard try files.status(path) != nil else {
      guard versions.count == 1 else { throw failure(.severalVersions(versions), folder) }
      return versions[0]
    }
    let list: PropertyList
    do {
      list = try PropertyListDocument.read(path: path)
    } catch let error as InputError {
      throw failure(.brokenVersionList(error.description), path)
    }
    guard let name = list.dictionary?["_XCCurrentVersionName"]?.string else {
      throw failure(.brokenVersionList("it has no string \"_XCCurrentVersionName\""), path)
    }
    return name
  }

  private static func name(ofFolder name: String) -> String {
    String(name.dropLast(name.hasSuffix(versionSuffix) ? versionSuffix.count : 0))
  }

  private static func fileName(_ path: String) -> String {
    String(trimmed(path).split(separator: "/").last ?? "")
  }

  /// A path without slashes at its end.
  private static func trimmed(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }
}
