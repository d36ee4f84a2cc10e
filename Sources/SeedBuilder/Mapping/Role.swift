/// What the elements at one place become.
///
/// Two small numbers and no enumeration with payloads: every element of the document asks.
struct Role: Equatable {
  enum Kind: UInt8 {
    /// The root, when it has nothing of its own: no row, and nobody refers to it.
    case container
    /// Transparent: its children belong to the nearest record around it.
    case wrapper
    /// A column of the record around it.
    case scalar
    /// A row.
    case record
    /// Not in the plan under which is loaded: the plan is known to be wrong already.
    case unplanned
  }

  var kind: Kind
  /// The table of a record, the column of a scalar; of a wrapper the mark in the open row around
  /// it by which a second one under one parent is noticed, or -1 below a root without a row.
  var index: Int32 = -1

  /// Whether elements loaded in this role fit the other: marks may move, all else may not.
  func isLoadedAs(_ other: Role) -> Bool {
    kind == other.kind && (kind == .wrapper || index == other.index)
  }
}
