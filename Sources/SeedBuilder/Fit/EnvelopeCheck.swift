internal import SeedModel
internal import SeedSQLite

/// Looks whether an answer in an envelope holds data at all.
struct EnvelopeCheck {
  let staged: StagedInput

  /// - Throws: ``BuildError`` with the server's own message when it says that it failed.
  func run() throws {
    var checked: Set<Int> = []
    for table in staged.tables {
      for place in table.places where staged.facts.places[place].parent == nil {
        let index = staged.document(of: place)
        let document = staged.documents[index]
        guard let envelope = document.input.envelope, let success = envelope.success else {
          continue
        }
        checked.insert(index)
        try check(table, place, document.name, success, envelope.message)
      }
    }
    // An answer without a value of its own at the outermost has no row there.
    for (index, document) in staged.documents.enumerated() where !checked.contains(index) {
      if let success = document.input.envelope?.success { throw missing(success, document.name) }
    }
  }

  private func missing(_ success: String, _ name: String) -> BuildError {
    failure("the answer has no \"\(success)\"", name, hint: "correct the envelope in seed.json")
  }

  private func check(
    _ table: StagedTable, _ place: Int, _ name: String, _ success: String, _ message: String?
  ) throws {
    guard let column = table.column(.named(success)) else {
      throw missing(success, name)
    }
    let text = message.flatMap { table.column(.named($0)) }.map { table.columns[$0].sqlName }
    let rows = try staged.connection.rows(
      """
      SELECT \(table.columns[column].sqlName), \(text ?? "NULL") FROM \(table.sqlName)
      WHERE \(StagedInput.placeColumn) = \(place)
      """)
    for row in rows where row[0] != .text("true") && row[0] != .text("1") {
      if case .text(let words) = row[1], !words.isEmpty {
        throw failure("the server says: \(words)", name, hint: nil)
      }
      throw failure("the server says that it failed, and not why", name, hint: nil)
    }
  }

  private func failure(_ message: String, _ name: String, hint: String?) -> BuildError {
    BuildError(.input, [Diagnostic(.error, message, at: SourceLocation(file: name), hint: hint)])
  }
}
