/// The version of this tool, as `seed --version` prints it and as built databases record it.
package enum ToolVersion {
  /// The version's number, by the rules of semantic versioning.
  package static let number = "0.1.0"
  /// The name and number that a database's stamp carries.
  package static let stamp = "seed \(number)"
}
