/// A column of a table that is published.
package struct PublishedColumn: Sendable, Hashable {
  package var table: String
  package var column: String
}
