/// What has to happen to one database to make it another.
package struct DatabaseDifference: Sendable, Hashable {
  /// A number in the header that an application sets, such as `user_version`.
  package struct Setting: Sendable, Hashable {
    /// The name of its pragma.
    package var name: String
    /// The number before.
    package var old: Int64
    /// The number after.
    package var new: Int64
  }

  /// The numbers in the header that differ.
  package var settings: [Setting] = []
  /// The tables, indexes, views and triggers that differ, in this order and by name.
  package var schema: [SchemaChange] = []
  /// The tables whose rows differ, by name.
  package var tables: [TableDifference] = []
  /// What could not be compared, and why.
  package var notes: [String] = []

  /// A difference without any.
  package init() {}

  /// Whether the databases have the same content, as far as it could be compared.
  package var isEmpty: Bool { settings.isEmpty && schema.isEmpty && tables.isEmpty }
}
