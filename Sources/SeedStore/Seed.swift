/// A prebuilt database that ships with an app: an SQLite file, or one packed with gzip.
///
/// ```swift
/// let seed = Seed(path: "/path/in/the/bundle/default.sqlite")
/// ```
public struct Seed: Sendable {
  /// Where the manifest comes from that `seed build --manifest` writes.
  public enum ManifestSource: Sendable, Hashable {
    /// From the file beside the seed, `default.sqlite.manifest.json`, if there is one.
    case beside
    /// From a file at a path.
    case file(String)
    /// From memory.
    case given(SeedManifest)
    /// There is none.
    case none
  }

  /// The path of the file; it is only ever read.
  public var path: String
  /// The manifest, by which the seed is checked when it is copied.
  public var manifest: ManifestSource

  /// A seed at a path; the file is first looked at when it is installed.
  public init(path: String, manifest: ManifestSource = .beside) {
    self.path = path
    self.manifest = manifest
  }
}
