internal import SeedFiles
internal import SeedModel
internal import SeedTransport

/// What this client decides where the vendor's documentation is silent.
///
/// Everything of that kind stands here, so that it can be read, and changed, in one place; the guide
/// "Coming from HyperHive" lists it in words. What is known of the protocol stands where it is used.
internal enum HyperHiveRules {
  // MARK: Types

  /// What a type of the server's schema is in SQLite, whatever its case; nil for an unknown one,
  /// which becomes text with a warning.
  internal static func kind(ofType type: String) -> HyperHiveColumn.Kind? {
    switch type.uppercased() {
    case "TEXT": .text
    case "BIGINT": .integer
    case "DOUBLE": .real
    default: nil
    }
  }

  /// A column of a table that the schema does not describe, counted from 0.
  internal static func undeclaredColumnName(_ index: Int) -> String { "c\(index + 1)" }

  /// The columns whose values are the id of a row: those that the schema declares as the key, else
  /// the first one.
  internal static func idColumns(of table: HyperHiveTable) -> [Int] {
    let key = table.columns.indices.filter { table.columns[$0].isKey }
    return key.isEmpty && !table.columns.isEmpty ? [0] : key
  }

  // MARK: Parameters and names

  /// What no parameters are where they are digested.
  internal static let noParameters = "null"

  /// What no parameters are where they are sent.
  internal static let emptyBody = "{}"

  /// The separator between the parts of a local table's name.
  internal static func tablePrefix(resource: String, cacheKey: String?) -> String {
    cacheKey.map { "\(resource)_\($0)_" } ?? "\(resource)_"
  }

  // MARK: Versions

  /// The version that a header `Content-Version` says was reached.
  ///
  /// `3`, `v3` and `delta v1-v3` are all 3. The one that a delta starts from comes with it.
  internal static func version(in text: String) -> (from: Int64?, reached: Int64)? {
    var rest = text[...]
    if rest.lowercased().hasPrefix("delta") {
      rest = rest.dropFirst("delta".count).drop { $0 == " " }
      let ends = rest.split(separator: "-", maxSplits: 1)
      guard ends.count == 2, let from = number(ends[0]), let reached = number(ends[1]) else {
        return nil
      }
      return (from, reached)
    }
    return number(rest).map { (nil, $0) }
  }

  private static func number(_ text: Substring) -> Int64? {
    var digits = text.drop { $0 == " " }
    while digits.last == " " { digits.removeLast() }
    if digits.first == "v" || digits.first == "V" { digits.removeFirst() }
    guard !digits.isEmpty, digits.utf8.allSatisfy(JSONScanner.isDigit) else { return nil }
    return Int64(digits)
  }

  /// Whether rows may be asked for by a tag: `*` would mean any rows.
  internal static func isEntityTag(_ text: String) -> Bool {
    let tag = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    return tag.utf8.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
      && tag.dropFirst().dropLast().utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 }
  }

  /// The version that stands for nothing loaded.
  internal static let nothingLoaded: Int64 = 0

  /// Whether a refusal of a delta means that the version is of no use any more: then it is dropped
  /// and the whole table loaded, once.
  internal static func isStaleVersion(status: Int) -> Bool {
    (400..<500).contains(status) && ![401, 403, 408, 425, 429].contains(status)
  }

  // MARK: Requests

  /// How often in a row a call obtains a new token because the server does not take the old one.
  internal static let mostRenewals = 1

  /// How often in a row a load starts again from nothing because the document is another one.
  internal static let mostRestarts = 3

  /// The most bytes of a refusal that are read for its description.
  internal static let refusalByteCount = 64 << 10

  /// The most bytes of the schema, which is read as a whole.
  internal static let schemaByteCount: Int64 = 64 << 20

  /// How repetitions wait: the interval of the call, without chance, and what the server asks for as
  /// the least, up to an hour.
  internal static func retryPolicy(count: Int, interval: Duration) -> RetryPolicy {
    var policy = RetryPolicy(
      retryCount: count, baseDelay: interval, longestDelay: interval,
      longestRetryAfter: .seconds(3600))
    policy.totalRetryCount = count
    policy.repeatsEveryServerFailure = true
    return policy
  }
}
