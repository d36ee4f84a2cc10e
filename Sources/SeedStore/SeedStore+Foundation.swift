// For Apple's systems, where every app has Foundation; elsewhere it costs start-up time and memory,
// so that there the forms with paths are all there is. The tests compile and run this file anyway.
#if canImport(Darwin) || SEED_FOUNDATION
  public import Foundation
  #if SEED_FOUNDATION
    public import SeedStore
  #endif

  extension Seed {
    /// A seed at the URL of a file; the file is first looked at when it is installed.
    ///
    /// - Precondition: It is the URL of a file.
    public init(url: URL, manifest: ManifestSource = .beside) {
      precondition(url.isFileURL, "a seed is a file")
      self.init(path: url.path, manifest: manifest)
    }

    /// A seed among the resources of a bundle: `name.sqlite`, or `name.sqlite.gz`.
    ///
    /// - Throws: ``SeedError`` with ``SeedError/Reason/sourceMissing`` when it has neither.
    public init(
      resource name: String, in bundle: Bundle = .main, manifest: ManifestSource = .beside
    ) throws {
      for suffix in ["sqlite", "sqlite.gz"] {
        if let url = bundle.url(forResource: name, withExtension: suffix) {
          self.init(url: url, manifest: manifest)
          return
        }
      }
      throw SeedError.missing(bundle.bundlePath + "/" + name + ".sqlite")
    }
  }

  extension InstallResult {
    /// The URL of the database.
    public var url: URL { URL(fileURLWithPath: path) }
  }

  extension SeedDatabase {
    /// Installs a seed at the URL of a file; see ``install(_:at:options:cancellation:)``.
    ///
    /// - Throws: ``SeedError``. The destination is then as it was before.
    public static func install(
      _ seed: Seed, at url: URL, options: InstallOptions = InstallOptions(),
      cancellation: InstallCancellation? = nil
    ) throws(SeedError) -> InstallResult {
      try install(seed, at: url.path, options: options, cancellation: cancellation)
    }

    /// Installs a seed at the URL of a file, on a thread of its own.
    ///
    /// - Throws: ``SeedError``, or `CancellationError` when the task was cancelled.
    public static func install(
      _ seed: Seed, at url: URL, options: InstallOptions = InstallOptions()
    ) async throws -> InstallResult {
      try await install(seed, at: url.path, options: options)
    }

    /// Brings back the content from before the last replacement; see ``rollback(at:lockTimeout:)``.
    ///
    /// - Throws: ``SeedError``; the database is then as it was.
    public static func rollback(
      at url: URL, lockTimeout: Duration = .seconds(30)
    ) throws(SeedError) {
      try rollback(at: url.path, lockTimeout: lockTimeout)
    }

    /// Deletes the copy that the last replacement has kept.
    ///
    /// - Throws: ``SeedError``.
    public static func discardPrevious(
      at url: URL, lockTimeout: Duration = .seconds(30)
    ) throws(SeedError) {
      try discardPrevious(at: url.path, lockTimeout: lockTimeout)
    }

    /// A place for a database in a folder of its own: `<Application Support>/name/name.sqlite`.
    ///
    /// The folder is made by the installation. What SQLite puts beside the database lies in it,
    /// too, so that a protection class or an exclusion from backups set on the folder is for all.
    /// - Throws: What Foundation throws when the user has no such folder.
    public static func applicationSupportURL(_ name: String) throws -> URL {
      try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
      )
      .appendingPathComponent(name, isDirectory: true)
      .appendingPathComponent(name + ".sqlite", isDirectory: false)
    }

    #if canImport(Darwin)
      /// A place for a database that an app shares with its extensions, in a folder of its own.
      ///
      /// - Returns: Nil if the app has no such group.
      public static func appGroupURL(_ name: String, group: String) -> URL? {
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?
          .appendingPathComponent(name, isDirectory: true)
          .appendingPathComponent(name + ".sqlite", isDirectory: false)
      }
    #endif
  }
#endif
