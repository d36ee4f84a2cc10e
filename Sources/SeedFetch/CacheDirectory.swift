/// Where fetched documents are kept between builds.
package enum CacheDirectory {
  /// `SEED_CACHE_DIR`, else `seed` in `XDG_CACHE_HOME`, else `~/.cache/seed`.
  ///
  /// Without a home directory it lies in the working directory, where it can at least be found.
  package static func path(_ environment: (String) -> String?) -> String {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let directory = value("SEED_CACHE_DIR") { return directory }
    // The specification has relative paths ignored.
    if let directory = value("XDG_CACHE_HOME"), directory.hasPrefix("/") {
      return directory + "/seed"
    }
    return (value("HOME") ?? ".") + "/.cache/seed"
  }
}
