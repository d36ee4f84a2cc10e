/// How a seed stands to the database that is installed.
internal enum SeedRelation: Equatable {
  /// The same content, or nothing by which to tell that it is another one.
  case same
  /// A newer version, or the same version with another content.
  case newer
  /// An older version: a downgrade.
  case older
  /// Another seed, or a database that no seed was.
  case unrelated

  /// Compares a seed with what is installed.
  ///
  /// Versions are compared where both have one; otherwise other content counts as newer, since a
  /// developer who builds a seed anew rarely means to go back. The app may count `user_version` up
  /// by itself, so that decides only where there is no stamp at all.
  internal init(of seed: SeedIdentity, to installed: SeedIdentity) {
    guard let name = seed.name else {
      self = seed.userVersion > installed.userVersion ? .newer : .same
      return
    }
    guard name == installed.name, seed.applicationID == installed.applicationID else {
      self = .unrelated
      return
    }
    if seed.contentSHA256 == installed.contentSHA256, seed.version == installed.version {
      self = .same
    } else if let version = seed.version, let other = installed.version {
      self = VersionOrder.isOrdered(version, before: other) ? .older : .newer
    } else {
      self = .newer
    }
  }
}

/// The order of version texts: number by number, as `1.9` comes before `1.10`.
internal enum VersionOrder {
  /// Whether a version is older than another one.
  internal static func isOrdered(_ first: String, before second: String) -> Bool {
    let (one, other) = (parts(first), parts(second))
    for index in 0..<max(one.count, other.count) {
      // A version goes on with a number or not at all: 1.0 equals 1.0.0.
      let left = index < one.count ? one[index] : ""
      let right = index < other.count ? other[index] : ""
      guard let order = compare(left, right) else { continue }
      return order
    }
    return false
  }

  private static func parts(_ version: String) -> [Substring] {
    version.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "-" || $0 == "+" }
  }

  /// Whether the first comes first; nil for equal parts.
  private static func compare(_ left: Substring, _ right: Substring) -> Bool? {
    let numbers = (UInt64(left.isEmpty ? "0" : left), UInt64(right.isEmpty ? "0" : right))
    if case (let one?, let other?) = numbers { return one == other ? nil : one < other }
    // A word such as `beta` comes before the number or the end: 2.0-beta before 2.0.
    if numbers.0 != nil { return false }
    if numbers.1 != nil { return true }
    return left == right ? nil : left < right
  }
}
