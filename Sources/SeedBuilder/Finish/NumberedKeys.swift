internal import SeedModel

/// What there is to say of keys that are mere numbers of the records.
///
/// An update and a stream find a row by its key. A number that follows from the place in the file is
/// another record's as soon as one is added before it, and the next one may be a row of the app's own.
enum NumberedKeys {
  /// The warning.
  ///
  /// - Parameters:
  ///   - claim: What relies on the keys of a table, with the table's name at its end.
  ///   - location: Where it is ruled.
  /// - Returns: The warning, with what to do.
  static func remark(_ claim: String, at location: SourceLocation?) -> Diagnostic {
    Diagnostic(
      .warning,
      "\(claim), whose keys are mere numbers of the records: after an update a key may stand for "
        + "another record",
      at: location,
      hint: "have the key come from the data: an \"id\" in each record, or a schema with its own "
        + "PRIMARY KEY")
  }
}
