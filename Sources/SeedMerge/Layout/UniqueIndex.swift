/// What keeps the values of some columns apart, besides the key: a UNIQUE index, a primary key.
struct UniqueIndex {
  /// A column of the index that may be written, and how the index compares it.
  struct Part {
    let column: LayoutColumn
    let collation: String
  }

  /// The columns of the index that may be written, without those that expressions read.
  let parts: [Part]
  /// All columns that may be written and that decide over what the index holds: its own, and those
  /// that its expressions, generated columns and condition read.
  let sources: [LayoutColumn]
  /// The columns, not of the key, of which at least one must change to take a row's value out of
  /// the index, and how many of them are to be changed for it.
  let parkable: Parkable

  /// What can be done to take a row's value out of the index.
  enum Parkable {
    /// Changing one of these columns is enough.
    case anyOf([LayoutColumn])
    /// All of these are to be changed: an expression over some of them is in the index.
    case allOf([LayoutColumn])
    /// Nothing: all that the index is over belongs to the app, or to the key.
    case nothing
  }
}
