internal import SeedModel

extension ProjectDecoder {
  /// Foreign keys that are looked up.
  func references(of project: ObjectReader) -> [ReferenceRule] {
    project.entries("references", named: "table and column").compactMap { member in
      guard
        let reader = ObjectReader(
          member.value, .reference, key: member.name.value, log: log)
      else { return nil }
      let column = column(member.name, key: "references")
      let from = reader.requiredText("from")
      let to = reader.requiredText("to")
      let target = to.flatMap { self.column($0, key: "to") }
      guard let column, let from, let target else { return nil }
      return ReferenceRule(
        table: column.table, column: column.column, from: from, targetTable: target.table,
        targetColumn: target.column, location: member.name.location)
    }
  }

  private func column(
    _ name: Located<String>, key: String
  ) -> (table: String, column: String)? {
    if let column = QuotedNames.column(name.value) { return column }
    if let location = name.location {
      log.add(
        .unusableValue(
          "\"\(name.value)\"", key: key,
          hint: "write table.column; names with dots, blanks or quotes need double quotes"),
        at: location)
    }
    return nil
  }

  /// Indexes to create.
  func indexes(of project: ObjectReader) -> [IndexRule] {
    let key = "indexes"
    guard let json = project.value(key) else { return [] }
    guard case .array(let elements) = json.value else {
      log.addType(of: json, key, expected: "an array of indexes")
      return []
    }
    return elements.compactMap { element in
      if case .string(let text) = element.value {
        guard let index = QuotedNames.index(text) else {
          project.refuse(
            element, key, hint: "write table(column, column), with \"unique\" before it or not")
          return nil
        }
        return IndexRule(
          table: index.table, columns: index.columns, isUnique: index.isUnique,
          location: element.location)
      }
      guard
        let reader = ObjectReader(
          element, .index, expected: "a string or an object", log: log)
      else { return nil }
      let table = reader.requiredText("table")
      let columns = reader.required("columns").map { reader.texts($0, "columns") }
      let name = reader.text("name")
      let isUnique = reader.flag("unique")?.value ?? false
      guard let table, let columns, !columns.isEmpty else { return nil }
      return IndexRule(
        name: name?.value, table: table.value, columns: columns.map(\.value), isUnique: isUnique,
        location: element.location)
    }
  }

  /// What belongs to the app.
  func owned(of project: ObjectReader) -> [OwnedTable] {
    project.entries("owned", named: "the table").compactMap { member in
      let table = member.name.value
      switch member.value.value {
      case .bool(true):
        return OwnedTable(table: table, columns: [], location: member.name.location)
      case .bool(false):
        project.refuse(member.value, table, hint: "leave out what is not owned")
        return nil
      default:
        let columns = project.texts(
          member.value, table, expected: "an array of columns or true")
        guard !columns.isEmpty else { return nil }
        return OwnedTable(
          table: table, columns: columns.map(\.value), location: member.name.location)
      }
    }
  }

  /// The streams that go on from the database.
  func streams(of project: ObjectReader) -> [StreamRule] {
    let key = "streams"
    if let json = project.value(key), case .object(let members) = json.value, members.isEmpty {
      project.refuse(json, key, hint: "name a stream and its tables, or leave the key out")
    }
    return project.entries(key, named: "the stream").compactMap { member in
      let name = member.name.value
      if !StreamName.isUsable(name) {
        log.add(
          .unusableValue("\"\(name)\"", key: key, hint: StreamName.hint),
          at: member.name.location ?? member.value.location)
      }
      guard let reader = ObjectReader(member.value, .stream, key: name, log: log)
      else { return nil }
      let source = origin("source", of: reader)
      let tables = reader.required("tables").map { streamTables($0, of: reader) } ?? []
      guard !tables.isEmpty else { return nil }
      return StreamRule(
        name: name, tables: tables, source: source?.value, location: member.name.location)
    }
  }

  /// An address, or the path of a folder.
  private func origin(_ key: String, of reader: ObjectReader) -> Located<String>? {
    guard let json = reader.value(key), case .string(let text) = json.value, !text.isEmpty,
      !text.contains("://")
    else { return address(key, of: reader) }
    return reader.text(key)
  }

  private func streamTables(
    _ json: LocatedJSON, of stream: ObjectReader
  ) -> [StreamRule.Table] {
    let key = "tables"
    guard case .array(let elements) = json.value else {
      log.addType(of: json, key, expected: "an array of tables")
      return []
    }
    if elements.isEmpty { stream.refuse(json, key, hint: "name at least one table") }
    var seen: Set<String> = []
    return elements.compactMap { element in
      guard let table = streamTable(element, of: stream) else { return nil }
      if !seen.insert(table.name.value).inserted {
        stream.refuse(element, key, hint: "name each table once")
      }
      return table
    }
  }

  /// A table by its name alone, or with what the stream carries of it.
  private func streamTable(
    _ json: LocatedJSON, of stream: ObjectReader
  ) -> StreamRule.Table? {
    if case .string = json.value {
      return stream.text(json, "tables").map { StreamRule.Table(name: $0) }
    }
    guard
      let reader = ObjectReader(
        json, .streamTable, expected: "a string or an object", log: log),
      let name = reader.requiredText("table")
    else { return nil }
    return StreamRule.Table(
      name: name, key: reader.value("key").map { reader.texts($0, "key") },
      columns: reader.value("columns").map { reader.texts($0, "columns") })
  }
}
