package import SeedSQLite

/// Why rows from outside cannot be written: which table, and what is in the way.
///
/// What is found before anything is written (``isBeforeWriting``) leaves the transaction as it was;
/// after every other error the caller rolls it back.
package struct MergeError: Error, Sendable, Equatable {
  /// What is in the way.
  package enum Reason: Sendable, Equatable {
    /// The database, or the attached one, has no such table.
    case noSuchTable
    /// The name is that of a view, a virtual table, or one that belongs to a virtual table.
    case notAnOrdinaryTable(kind: String)
    /// The table has no such column.
    case noSuchColumn(String)
    /// The column's value is computed, so none can be written.
    case generatedColumn(String)
    /// No UNIQUE index or primary key keeps the values of the key's columns apart.
    case keyIsNotUnique([String])
    /// A column of the key is not among the columns to be written.
    case keyColumnNotGiven(String)
    /// A column is not among those that may be written.
    case columnNotDeclared(String)
    /// A section leaves out a column whose value was put aside while its row was to be deleted.
    case columnNotGiven(String)
    /// The table is declared twice, or not at all.
    case tableNotDeclared
    /// A row has NULL in its key.
    case nullInKey(column: String)
    /// A row has something other than a whole number in the column that is the table's rowid; the
    /// value as SQL writes it, cut where it is long.
    case notAnInteger(column: String, value: String)
    /// A row, or the end of the transaction, would break a constraint; SQLite's words say which.
    case constraint(SQLiteError.Constraint, message: String)
    /// Rows that refer to rows that are not there, at the end of the transaction.
    case foreignKeys([ForeignKeyViolation])
    /// Rows of a snapshot that would be gone, or have other values, since foreign keys delete or
    /// change them with the rows that they refer to, by table.
    case changedByForeignKeys([TakenKeys])
    /// Rows whose unique values were to move, and that a trigger has kept from getting their new ones.
    case leftParked(TakenKeys)
    /// Rows that foreign keys change for a while, since unique values move, and that did not take back
    /// what they had: a trigger has kept them from it, or the columns are their key.
    case referenceNotKept(columns: [String], parent: String, action: String)
    /// SQLite refuses for another reason: a full disk, a lock, a damaged file.
    case database
  }

  /// What is in the way.
  package var reason: Reason
  /// The table as it was declared; empty where no single table is concerned.
  package var table: String
  /// The name under which the database with the table is attached: `main`, or that of a snapshot.
  package var schema: String
  /// The refusal by SQLite, if it was one.
  package var sqlite: SQLiteError?
  /// All pairs of rows that cannot be there together, where SQLite itself names the first one.
  package var conflicts: [UniqueConflict] = []

  /// An error from its parts.
  package init(
    _ reason: Reason, table: String, schema: String = "main", sqlite: SQLiteError? = nil
  ) {
    self.reason = reason
    self.table = table
    self.schema = schema
    self.sqlite = sqlite
  }

  /// A refusal by SQLite while a table was written.
  package init(_ error: SQLiteError, table: String, schema: String = "main") {
    let reason: Reason =
      if let constraint = error.constraint {
        .constraint(constraint, message: error.message)
      } else {
        .database
      }
    self.init(reason, table: table, schema: schema, sqlite: error)
  }

  /// Whether nothing was written: the tables are not as they were declared.
  package var isBeforeWriting: Bool {
    switch reason {
    case .noSuchTable, .notAnOrdinaryTable, .noSuchColumn, .generatedColumn, .keyIsNotUnique,
      .keyColumnNotGiven, .columnNotDeclared, .tableNotDeclared:
      true
    case .columnNotGiven, .nullInKey, .notAnInteger, .constraint, .foreignKeys,
      .changedByForeignKeys, .leftParked, .referenceNotKept, .database:
      false
    }
  }

  /// Runs calls of SQLite that concern a table.
  static func at<Value>(
    _ table: String, schema: String = "main", _ body: () throws(SQLiteError) -> Value
  ) throws(MergeError) -> Value {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw MergeError(error, table: table, schema: schema)
    }
  }
}
