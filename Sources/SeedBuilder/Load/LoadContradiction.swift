internal import SeedModel

/// Why rows loaded so far do not suit the input after all.
enum LoadContradiction: Equatable {
  /// A place or field is something else than the plan has it.
  case structure
  /// A value does not fit its column's type.
  case value
  /// A table's key is not unique, or missing in a record.
  case key(LoadPlanner.RejectedKey)
  /// A table's key came after child records that refer to it.
  case lateKey(QualifiedName)
}
