internal import SeedModel

extension ProjectDecoder {
  /// What becomes of the records of a source.
  func records(of source: ObjectReader) -> [RecordRule] {
    source.entries("records", named: "the records' path").compactMap { member in
      guard isPath(member.name, key: "records") else { return nil }
      var rule = RecordRule(path: member.name)
      if case .string = member.value.value {
        rule.table = source.text(member.value, member.name.value)
        return rule
      }
      guard
        let reader = ObjectReader(
          member.value, .record, key: member.name.value,
          expected: "a string or an object", log: log)
      else { return nil }
      rule.table = reader.text("table")
      rule.columns = columns(of: reader)
      rule.onlyNamedColumns = reader.flag("only")?.value ?? false
      rule.isSkipped = reader.flag("skip")?.value ?? false
      if rule.isSkipped { reader.exclude(["table", "columns", "only"], beside: "skip") }
      if rule.onlyNamedColumns, !reader.has("columns") {
        log.add(
          .missingCompanion("only", of: "columns"),
          at: reader.value("only")?.location ?? reader.location)
      }
      return rule
    }
  }

  /// Whether a text is names with slashes between them.
  private func isPath(_ path: Located<String>, key: String) -> Bool {
    let names = path.value.split(separator: "/", omittingEmptySubsequences: false)
    guard names.contains(where: \.isEmpty) else { return true }
    if let location = path.location {
      log.add(
        .unusableValue(
          "\"\(path.value)\"", key: key, hint: "write names with a slash between each two"),
        at: location)
    }
    return false
  }

  private func columns(of record: ObjectReader) -> [ColumnRule] {
    let entries = record.entries("columns", named: "the column")
    if let json = record.value("columns"), case .object(let members) = json.value, members.isEmpty {
      record.refuse(json, "columns", hint: "name a column, or leave the key out")
    }
    return entries.compactMap { member in
      var rule = ColumnRule(name: member.name)
      if case .string = member.value.value {
        rule.from = origin(record.text(member.value, member.name.value))
        return rule
      }
      guard
        let reader = ObjectReader(
          member.value, .column, key: member.name.value,
          expected: "a string or an object", log: log)
      else { return nil }
      fill(&rule, from: reader)
      return rule
    }
  }

  private func fill(_ rule: inout ColumnRule, from reader: ObjectReader) {
    rule.from = origin(reader.text("from"))
    rule.type = reader.choice("type", of: DeclaredType.self)
    rule.format = reader.text("format")
    rule.defaultValue = scalar("default", of: reader)
    rule.nullTexts = nullTexts(of: reader)
    rule.isTrimmed = reader.flag("trim")?.value ?? false
    rule.constant = scalar("constant", of: reader)
    reader.exclude(["from", "format", "default", "null", "trim"], beside: "constant")
    guard let type = rule.type?.value, let format = rule.format else { return }
    let hint: String
    switch type {
    case .date, .datetime, .blob: return
    case .integer, .real, .decimal:
      guard format.value != "decimal-comma" else { return }
      hint = "the format of numbers is \"decimal-comma\", or none"
    case .text, .boolean: hint = "formats are for dates, numbers and the type blob"
    }
    log.add(
      .conflictingKeys("format", "type", hint: hint),
      at: reader.value("format")?.location ?? reader.location)
  }

  /// A path within a record: names, of which the last may be that of an attribute.
  private func origin(_ path: Located<String>?) -> Located<String>? {
    guard let path, isPath(path, key: "from") else { return nil }
    return path
  }

  private func scalar(_ key: String, of reader: ObjectReader) -> Located<JSONValue>? {
    guard let json = reader.value(key) else { return nil }
    switch json.value {
    case .array, .object:
      log.addType(of: json, key, expected: "a text, a number, true, false or null")
      return nil
    default:
      var value = Located(json.plain, at: json.location)
      value.spelling = json.literal
      return value
    }
  }

  /// Texts that mean NULL; the empty one may be one of them.
  private func nullTexts(of reader: ObjectReader) -> [String] {
    guard let json = reader.value("null") else { return [] }
    switch json.value {
    case .string(let text): return [text]
    case .array(let elements) where !elements.isEmpty:
      return elements.compactMap { element in
        if case .string(let text) = element.value { return text }
        log.addType(of: element, "null", expected: "a string")
        return nil
      }
    case .array:
      reader.refuse(json, "null", hint: "name a text, or leave the key out")
      return []
    default:
      log.addType(of: json, "null", expected: "a string or an array of strings")
      return []
    }
  }
}
