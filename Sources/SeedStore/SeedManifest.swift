internal import SeedFiles
internal import SeedModel

/// What is known of a seed from outside: the manifest that `seed build --manifest` writes.
///
/// The digest of a whole file cannot be inside of it, so it comes from here.
public struct SeedManifest: Sendable, Hashable {
  /// SHA-256 over the plain file, as lower-case hexadecimal digits.
  public var sha256: String
  /// The size of the plain file in bytes.
  public var byteCount: Int64
  /// SHA-256 over schema and rows.
  public var contentSHA256: String?
  /// `PRAGMA user_version`.
  public var userVersion: Int32
  /// `PRAGMA application_id`.
  public var applicationID: Int32

  /// A manifest from its parts.
  public init(
    sha256: String, byteCount: Int64, contentSHA256: String? = nil, userVersion: Int32 = 0,
    applicationID: Int32 = 0
  ) {
    self.sha256 = sha256
    self.byteCount = byteCount
    self.contentSHA256 = contentSHA256
    self.userVersion = userVersion
    self.applicationID = applicationID
  }

  /// Reads the text of a manifest, JSON in UTF-8; blocks for no longer than parsing takes.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - path: What an error calls the manifest.
  /// - Throws: ``SeedError`` with ``SeedError/Reason/unusableManifest(_:)``.
  public init(json bytes: [UInt8], path: String = "manifest") throws(SeedError) {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw SeedError(.checkSource, path, .unusableManifest(error.description))
    }
    guard document["format"] == 1 else {
      throw SeedError(.checkSource, path, .unusableManifest("it is not of format 1"))
    }
    guard let sha256 = document["sha256"]?.stringValue, Self.isDigest(sha256),
      let byteCount = document["bytes"]?.integerValue, byteCount > 0,
      let userVersion = Int32(exactly: document["user_version"]?.integerValue ?? 0),
      let applicationID = Int32(exactly: document["application_id"]?.integerValue ?? 0)
    else {
      throw SeedError(
        .checkSource, path, .unusableManifest("a digest or a number is missing or wrong"))
    }
    self.init(
      sha256: sha256, byteCount: byteCount,
      contentSHA256: document["content_sha256"]?.stringValue, userVersion: userVersion,
      applicationID: applicationID)
  }

  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// No manifest is longer; one of a thousand tables has some hundred kilobytes.
  private static let byteLimit = 16 << 20

  /// The manifest of a seed; nil if it has none.
  internal static func load(
    for seed: Seed, on files: FileSystem
  ) throws(SeedError) -> SeedManifest? {
    switch seed.manifest {
    case .none: return nil
    case .given(let manifest): return manifest
    case .file(let path):
      guard let bytes = try contents(of: path, on: files) else {
        throw SeedError(.checkSource, path, .manifestMissing)
      }
      return try SeedManifest(json: bytes, path: path)
    case .beside:
      let path = Self.plainPath(of: seed.path) + ".manifest.json"
      guard let bytes = try contents(of: path, on: files) else { return nil }
      return try SeedManifest(json: bytes, path: path)
    }
  }

  /// The path without the suffix of a packed file: the manifest is about the plain one.
  private static func plainPath(of path: String) -> String {
    path.hasSuffix(".gz") ? String(path.dropLast(3)) : path
  }

  private static func contents(
    of path: String, on files: FileSystem
  ) throws(SeedError) -> [UInt8]? {
    let status = try SeedError.at(.checkSource) { () throws(FileError) in try files.status(path) }
    // Opening a pipe would wait for somebody to write to it.
    switch status?.kind {
    case nil: return nil
    case .regular: break
    case .directory: throw SeedError(.checkSource, path, .isDirectory)
    default: throw SeedError(.checkSource, path, .notARegularFile)
    }
    return try SeedError.at(.checkSource) { () throws(FileError) in
      try files.contents(of: path, limit: byteLimit)
    }
  }
}
