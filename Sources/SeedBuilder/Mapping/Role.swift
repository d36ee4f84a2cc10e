/// What the elements at one place become.
///
/// Two small numbers and no enumeration with payloads: every element of the document asks.
struct Role: Equatable {
  enum Kind: UInt8 {
    /// The root, when it has nothing of its own: no row, and nobody refers to it.
    case container
    /// Transparent, as `<items>` around `<item>`s: its children belong to the record around it.
    case wrapper
    /// A column of the record around it.
    case scalar
    /// A row.
    case record
  }

  var kind: Kind
  /// The table of a record, the column of a scalar; of a wrapper directly below a record the mark
  /// in the open row by which a second one under one parent is noticed, else -1.
  var index: Int32 = -1

  /// Whether elements loaded in this role fit the other: marks may move, all else may not.
  func isLoadedAs(_ other: Role) -> Bool {
    kind == other.kind && (kind == .wrapper || index == other.index)
  }
}
