/// The names of tables that are not for the data of a build.
package enum ReservedNames {
  /// What to say to whoever wants one.
  package static let hint = "names that begin with sqlite_ or _seed are reserved"

  /// Whether SQLite keeps a name for itself, or the stamp and what is beside it do.
  package static func has(_ name: String) -> Bool {
    let folded = name.lowercased()
    return folded.hasPrefix("sqlite_") || folded.hasPrefix("_seed")
  }
}
