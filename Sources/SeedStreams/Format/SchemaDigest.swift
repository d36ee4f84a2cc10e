internal import SeedFiles
internal import SeedModel

/// What the columns of a stream are known by: equal digests mean equal tables, keys and columns.
package enum SchemaDigest {
  /// The digest of some tables, in any order.
  ///
  /// A line a table, by the bytes of the names: `[table,[key],[[column,affinity],…]]`, the columns
  /// by the bytes of their names; SHA-256 over the lines, each with its line feed.
  ///
  /// - Parameter tables: The tables with the columns that count.
  /// - Returns: The first 16 hexadecimal digits, in lower case.
  package static func compute(_ tables: [StreamTable]) -> String {
    var bytes: [UInt8] = []
    for table in tables.sorted(by: { precedes($0.name, $1.name) }) {
      let columns = table.columns.sorted { precedes($0.name, $1.name) }
      JSONBytes.append(
        [
          .string(table.name), .array(table.key.map { .string($0) }),
          .array(columns.map { [.string($0.name), .string($0.affinity)] }),
        ], to: &bytes)
      bytes.append(0x0A)
    }
    var digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return String(digest.hexadecimal().prefix(16))
  }

  /// The order of names by their bytes in UTF-8.
  private static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}
