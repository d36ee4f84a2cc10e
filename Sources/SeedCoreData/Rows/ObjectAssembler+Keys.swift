internal import SeedBuilder
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

extension ObjectAssembler {
  /// Notes that an object refers to another one by its natural key.
  func note(
    key value: UnsafeBufferPointer<UInt8>, _ sink: Sink,
    _ object: UnsafeMutablePointer<OpenObject>, isInBatch: Bool
  ) throws {
    let conversion = conversions[sink.conversion]
    var value = value
    if conversion.pointee.isTrimmed { value = value.trimmed }
    guard !value.isEmpty, let first = value.baseAddress else { return }
    try withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: AttributeConversion.scratchSize
    ) { scratch in
      guard let room = scratch.baseAddress else { return }
      let outcome = try conversion.pointee.convert(value, into: room)
      if case .misfit(let reason, let hint) = outcome {
        let rule = book.mapping.references[sink.rule]
        return note(
          conversion, value, reason, hint, object,
          where: "attribute \(conversion.pointee.attribute.name) of \(rule.targetTable), to which "
            + "\(rule.table).\(rule.column) refers")
      }
      guard let rows, misfits.isEmpty else {
        search?.metKey(
          value, table: shapes[object.pointee.shape].table, key: object.pointee.key)
        return
      }
      let text = isInBatch ? first : rows.copy(value)
      let stored: BoundValue
      switch outcome {
      case .null, .misfit: return
      case .integer(let number): stored = .integer(number)
      case .real(let number): stored = .real(number)
      case .sameText: stored = .text(text, count: value.count)
      case .scratchBlob(let count):
        let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(scratch)[..<count])
        stored = .blob(rows.copy(bytes), count: count)
      case .blob(let bytes):
        stored = .blob(bytes.withUnsafeBufferPointer { rows.copy($0) }, count: bytes.count)
      }
      let (document, entity) = (book.number, shapes[object.pointee.shape].entity)
      try rows.note { row in
        row[0] = .integer(Int64(sink.rule))
        row[1] = .integer(object.pointee.key)
        row[2] = .integer(Int64(entity))
        row[3] = stored
        row[4] = .text(text, count: value.count)
        row[5] = .integer(Int64(document))
        row[6] = .integer(Int64(object.pointee.line))
      }
    }
  }
}
