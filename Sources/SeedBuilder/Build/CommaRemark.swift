internal import SeedModel

/// What a build says of a column whose numbers have commas.
enum CommaRemark {
  /// What to say; nil of other columns.
  static func remark(
    on values: ValueStatistics, column: String, table: String, in document: String
  ) -> Diagnostic? {
    guard values.hasCommaNumbers else { return nil }
    return Diagnostic(
      .warning,
      "the numbers in column \"\(column)\" of \"\(table)\" have commas, which may be decimal or part "
        + "thousands, and stay text",
      at: SourceLocation(file: document),
      hint: "if they are decimal, say \"format\": \"\(DecimalComma.name)\" for the column in a "
        + "project file, which \"seed init\" begins")
  }
}
