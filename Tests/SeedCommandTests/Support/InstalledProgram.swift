import Foundation

/// Programs that tests use and that not every machine has.
enum InstalledProgram {
  /// The path of a program in one of the usual places; nil if it is in none.
  static func path(of name: String) -> String? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether tests of a program run: where changes are judged it must not be missing.
  static func isExpected(_ path: String?) -> Bool {
    path != nil || ProcessInfo.processInfo.environment["CI"] != nil
  }
}
