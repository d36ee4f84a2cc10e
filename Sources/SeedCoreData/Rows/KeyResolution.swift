internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Finds the objects that natural keys stand for, and links them.
struct KeyResolution {
  let plan: StorePlan
  let rules: [ReferenceRule]
  let connection: Connection
  let misfits: RowMisfits

  /// - Returns: The names of the tables whose rows may have changed.
  /// - Throws: ``SQLiteError``.
  func run() throws -> Set<String> {
    var changed: Set<String> = []
    for (number, rule) in rules.enumerated() where !misfits.isFull {
      guard let target = ReferenceTarget(rule, plan) else { continue }
      try makeLookup(number, target)
      let entities = try connection.rows(
        "SELECT DISTINCT entity FROM \(KeyNotes.table) WHERE rule = \(number) ORDER BY 1")
      for case .integer(let entity) in entities.map({ $0[0] }) {
        guard let relationship = target.number(of: Int(entity), plan),
          let linker = try KeyLinker(
            plan, relationship, of: Int(entity), to: target.target, connection)
        else { continue }
        try resolve(number, rule, Int(entity), linker)
        changed.formUnion(linker.tables)
      }
    }
    return changed
  }

  private func lookup(_ number: Int) -> String { "temp._seed_targets_\(number)" }

  /// A table of the natural keys of the objects that are referred to; its column has the type of
  /// theirs, so that keys compare as they are stored.
  private func makeLookup(_ number: Int, _ target: ReferenceTarget) throws {
    let table = plan.tables[plan.entities[target.target].table]
    let column = SQLiteName.quoted(table.columns[target.column])
    let type = StoreColumn.Kind(target.attribute.type)?.sql ?? ""
    try connection.execute(
      """
      CREATE TABLE \(lookup(number)) (value \(type) PRIMARY KEY, key INTEGER, entity INTEGER,
        count INTEGER) WITHOUT ROWID;
      INSERT INTO \(lookup(number)) SELECT \(column), min(Z_PK), Z_ENT, count(*)
      FROM \(SQLiteName.quoted(table.name)) WHERE \(column) IS NOT NULL
        AND Z_ENT IN (\(plan.ids(ofKind: target.target))) GROUP BY 1;
      """)
  }

  private func resolve(
    _ number: Int, _ rule: ReferenceRule, _ entity: Int, _ linker: KeyLinker
  ) throws {
    let notes = try connection.prepare(
      """
      SELECT k.owner, k.text, k.document, k.line, t.key, t.entity, t.count
      FROM \(KeyNotes.table) AS k LEFT JOIN \(lookup(number)) AS t ON t.value = k.value
      WHERE k.rule = \(number) AND k.entity = \(entity) ORDER BY k.rowid
      """)
    while try notes.step(), !misfits.isFull {
      let text = notes.text(1)
      let place = RowMisfits.Place.input(
        document: Int(notes.integer(2)), line: Int(notes.integer(3)), value: Array(text.utf8),
        object: .stored(
          ObjectSearch.Key(table: plan.entities[entity].table, key: notes.integer(0))))
      guard notes.columnType(4) != .null else {
        try reportUnknown(text, number, rule, place)
        continue
      }
      guard notes.integer(6) == 1 else {
        misfits.add(
          "\"\(text)\" stands for several objects of \"\(rule.targetTable)\"",
          hint: "\(rule.targetColumn) must be unique there", at: place, kind: "several \(number)")
        continue
      }
      let outcome = try linker.link(
        owner: notes.integer(0), target: notes.integer(4), targetID: notes.integer(5))
      if let fault = fault(outcome, text, rule) {
        misfits.add(fault, hint: hint(outcome), at: place, kind: "link \(number)")
      }
    }
  }

  private func fault(
    _ outcome: KeyLinker.Outcome, _ text: String, _ rule: ReferenceRule
  ) -> String? {
    switch outcome {
    case .linked: nil
    case .ownerIsTaken:
      "\"\(text)\" is a second object for the to-one relationship \(rule.table).\(rule.column)"
    case .targetIsTaken:
      "\"\(text)\" belongs to another object already by the inverse of "
        + "\(rule.table).\(rule.column)"
    }
  }

  private func hint(_ outcome: KeyLinker.Outcome) -> String? {
    switch outcome {
    case .linked: nil
    case .ownerIsTaken: "name one object, or make the relationship to-many in the model"
    case .targetIsTaken:
      "name it in one record only, or make the inverse relationship to-many in the model"
    }
  }

  private func reportUnknown(
    _ text: String, _ number: Int, _ rule: ReferenceRule, _ place: RowMisfits.Place
  ) throws {
    let kind = "unknown \(number)"
    guard misfits.takes(kind) else { return }
    var known: [String] = []
    try connection.forEachRow(
      "SELECT CAST(value AS TEXT) FROM \(lookup(number)) WHERE typeof(value) <> 'blob' LIMIT 10000"
    ) { known.append($0.text(0)) }
    misfits.add(
      "no object of \"\(rule.targetTable)\" has \(rule.targetColumn) \"\(text)\"",
      hint: UnknownKey.hint(for: text, known: known, table: rule.targetTable), at: place, kind: kind
    )
  }
}
