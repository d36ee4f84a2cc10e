/// The plan of an input whose names no other one has: it changes nothing in those before.
extension LoadPlan {
  /// Adds the plan of an input's part of the facts, whose places and fields come next.
  ///
  /// - Parameters:
  ///   - part: The plan, in numbers that start at 0.
  ///   - fieldBase: The number of the input's first field.
  mutating func append(_ part: LoadPlan, fieldBase: Int) {
    let tableBase = tables.count
    for table in part.tables {
      var table = table
      for index in table.columns.indices {
        if case .parent(let parent) = table.columns[index].source {
          table.columns[index].source = .parent(table: parent + tableBase)
        }
        for field in table.columns[index].fields.indices {
          table.columns[index].fields[field] += fieldBase
        }
      }
      tables.append(table)
    }
    roles += part.roles.map { role in
      role.kind == .record
        ? Role(kind: .record, index: role.index + Int32(tableBase)) : role
    }
    columnOfField += part.columnOfField
    markCounts += part.markCounts
  }
}
