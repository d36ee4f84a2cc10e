#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The variables that this process was started with.
enum ProcessEnvironment {
  /// What a variable holds; nil if it is not set.
  static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
