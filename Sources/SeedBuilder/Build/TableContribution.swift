package import SeedSQLite

/// Tables that a build takes over as they are, beside those of its inputs: they come with names,
/// types and keys of their own, and perhaps with tables that say where they are from.
package struct TableContribution: Sendable {
  /// A table that was filled.
  package struct Table: Sendable, Hashable {
    package var name: String
    package var rowCount: Int64
    /// The indexes of the table besides its key.
    package var indexCount: Int
    /// The digest of its rows in the form of the stamp, if that is known.
    package var rowsSHA256: [UInt8]?

    /// A table with the number of its rows.
    package init(name: String, rowCount: Int64, indexCount: Int, rowsSHA256: [UInt8]? = nil) {
      self.rowsSHA256 = rowsSHA256
      self.name = name
      self.rowCount = rowCount
      self.indexCount = indexCount
    }

    /// What is checked before the database gets its name.
    var check: PublicationCheck.Table {
      PublicationCheck.Table(
        name: name, rowCount: rowCount, indexCount: indexCount, hasReferences: false)
    }
  }

  /// What of the tables' rows need not be read again.
  static func knownRows(_ tables: [Table]) -> [String: (count: Int64, sha256: [UInt8])] {
    var result: [String: (count: Int64, sha256: [UInt8])] = [:]
    for table in tables {
      if let sha256 = table.rowsSHA256 { result[table.name] = (table.rowCount, sha256) }
    }
    return result
  }

  /// What is taken over, by name and digest.
  package var input: InputDigest
  /// Makes and fills the tables in the transaction of the build.
  package var fill: @Sendable (Connection) throws -> [Table]

  /// A contribution.
  package init(
    input: InputDigest, fill: @escaping @Sendable (Connection) throws -> [Table]
  ) {
    self.input = input
    self.fill = fill
  }
}
