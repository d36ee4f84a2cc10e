internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Objects between their start and their end.
extension ObjectAssembler {
  @inline(__always)
  mutating func openObject(_ role: Int, _ line: UInt32) throws {
    let number = roles[role].shape
    let shape = shapes + number
    let table = shape.pointee.table
    lastKeys[table] += 1
    objectCount += 1
    if openCount == objects.count { objects.append(OpenObject()) }
    let object = objects.base + openCount
    object.pointee.open(shape, number: number, role: role, line: line, key: lastKeys[table])
    if roles[role].link >= 0, openCount > 0 {
      try connect(object - 1, object, links + roles[role].link)
    }
    openCount += 1
    search?.met(
      table: table, key: lastKeys[table], document: book.number, line: Int(line),
      openCount: openCount)
  }

  /// Fills the columns by which an object belongs to the one around it.
  @inline(__always)
  func connect(
    _ outer: UnsafeMutablePointer<OpenObject>, _ inner: UnsafeMutablePointer<OpenObject>,
    _ link: UnsafeMutablePointer<NestedLink>
  ) throws {
    var order = NestedLink.firstOrder
    if link.pointee.relationship >= 0 {
      let counter = outer.pointee.counters + link.pointee.relationship
      order += NestedLink.orderStep * counter.pointee
      counter.pointee += 1
    }
    if link.pointee.outerKey >= 0 {
      if outer.pointee.isSet[link.pointee.outerKey] { return noteSecondObject(inner, link) }
      outer.pointee.set(link.pointee.outerKey, inner.pointee.key)
      if link.pointee.outerEntity >= 0 {
        outer.pointee.set(link.pointee.outerEntity, inner.pointee.id)
      }
      if link.pointee.outerOrder >= 0 {
        outer.pointee.set(link.pointee.outerOrder, NestedLink.firstOrder)
      }
    }
    if link.pointee.innerKey >= 0 {
      inner.pointee.set(link.pointee.innerKey, outer.pointee.key)
      if link.pointee.innerEntity >= 0 {
        inner.pointee.set(link.pointee.innerEntity, outer.pointee.id)
      }
      if link.pointee.innerOrder >= 0 { inner.pointee.set(link.pointee.innerOrder, order) }
    }
    if link.pointee.join >= 0, misfits.isEmpty {
      try join(outer.pointee.key, inner.pointee.key, link, order)
    }
  }

  func join(
    _ outer: Int64, _ inner: Int64, _ link: UnsafeMutablePointer<NestedLink>, _ order: Int64
  ) throws {
    let ofInner = link.pointee.joinHasOrder ? order : 0
    let ofOuter = link.pointee.joinHasInverseOrder ? NestedLink.firstOrder : 0
    if link.pointee.joinsOuterFirst {
      try rows?.join(link.pointee.join, outer, inner, ofOuter, ofInner)
    } else {
      try rows?.join(link.pointee.join, inner, outer, ofInner, ofOuter)
    }
  }

  @inline(__always)
  mutating func closeObject() throws {
    let object = objects.base + (openCount - 1)
    let shape = shapes + object.pointee.shape
    if !object.pointee.text.isEmpty { try putOwnText(object) }
    if !object.pointee.structures.isEmpty { archiveStructures(object) }
    if !shape.pointee.outerValues.isEmpty { try putOuterValues(shape) }
    for requirement in shape.pointee.requirements {
      guard case .null = object.pointee.cells[requirement.column].kind else { continue }
      noteMissing(requirement.attribute, object)
    }
    for wrong in shape.pointee.wrongDefaults {
      let (cell, unset) = (
        object.pointee.cells[wrong.column], shape.pointee.template[wrong.column]
      )
      // Texts of the document lie elsewhere, and numbers like this one were refused when they came.
      if cell.bits == unset.bits { noteWrongDefault(wrong, object) }
    }
    for column in shape.pointee.requiredKeys {
      guard case .null = object.pointee.cells[column].kind else { continue }
      rows?.noteMissingKey(ofEntity: object.pointee.id, column: column)
    }
    if misfits.isEmpty { try rows?.insert(object, into: shape.pointee.table) }
    object.pointee.close()
    openCount -= 1
  }

  mutating func putOwnText(_ object: UnsafeMutablePointer<OpenObject>) throws {
    let text = object.pointee.text
    let sink = roles[object.pointee.role].textSink
    try text.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, sink >= 0 else { return }
      try put(sink, base, buffer.count, isInBatch: false)
    }
  }

  mutating func putOuterValues(_ shape: UnsafeMutablePointer<ObjectShape>) throws {
    for outer in shape.pointee.outerValues {
      guard let value = slotValue(outer) else { continue }
      try value.withUnsafeBufferPointer { buffer in
        try put(
          outer.sink, buffer.baseAddress ?? UnsafePointer(noBytes), buffer.count, isInBatch: false)
      }
    }
  }

  /// The value of the nearest element around that has one.
  func slotValue(_ outer: ObjectShape.OuterValue) -> [UInt8]? {
    for wanted in outer.slots {
      let kept = slots.last {
        $0.slot == wanted.slot && elements.base[$0.element].role == wanted.role
      }
      if let kept { return kept.value }
    }
    return nil
  }
}
