/// What the elements at one place become.
enum Role: Equatable {
  /// The root, when it has nothing of its own: no row, and nobody refers to it.
  case container
  /// Transparent: its children belong to the nearest record around it. `mark` is a cell of that
  /// record's open row, in which a second wrapper under one parent is noticed.
  case wrapper(mark: Int?)
  /// A column of the record around it.
  case scalar(column: Int)
  /// A row of the table.
  case record(table: Int)
  /// Not in the plan under which is loaded: the plan is known to be wrong already.
  case unplanned
}
