package import SeedModel

/// Something about a database that keeps it from being kept fresh by a stream, or may do so.
package struct StreamFinding: Sendable, Hashable {
  /// The kind of finding.
  package enum Kind: Sendable, Hashable {
    /// The database stands nowhere in the stream.
    case position
    /// Where it stands is not on the history that is published.
    case history
    /// The stream does not bring what the database takes.
    case schema
    /// A file that the head names is not there as it should be.
    case object
    /// No trusted key has signed the head.
    case signature
    /// An app's foreign key stops the stream.
    case foreignKey
    /// An app's foreign key deletes rows with those of the stream.
    case cascade
  }

  /// The kind of finding.
  package var kind: Kind
  /// How grave it is.
  package var severity: Diagnostic.Severity
  /// What is wrong and where.
  package var message: String
  /// What to do, as an imperative sentence.
  package var hint: String
  /// The table concerned, if it is about one.
  package var table: String?
  /// The table that a foreign key refers to.
  package var parentTable: String?

  /// A finding from its parts.
  package init(
    kind: Kind, severity: Diagnostic.Severity, message: String, hint: String,
    table: String? = nil, parentTable: String? = nil
  ) {
    self.kind = kind
    self.severity = severity
    self.message = message
    self.hint = hint
    self.table = table
    self.parentTable = parentTable
  }
}
