internal import SeedModel

/// Values that are neither objects nor arrays.
extension ObjectTokenizer {
  /// Ends a value whose bytes were appended to the batch.
  ///
  /// - Parameters:
  ///   - start: Where in the batch's bytes it starts.
  ///   - line: The line that it stands in.
  ///   - use: What kind of value it is.
  /// - Throws: ``ObjectFailure``.
  @inline(__always)
  mutating func endValue(
    from start: Int, line: UInt32, _ use: ObjectPlaceTable.FieldUse = .plain
  ) throws(ObjectFailure) {
    let holder = top
    guard holder.pointee.kind == .object else {
      return try endLooseValue(from: start, line: line, use)
    }
    let link = places.links + Int(holder.pointee.current)
    if link.pointee.field < 0 {
      try places.defineField(
        of: holder.pointee.current, place: holder.pointee.place, &batch.definitions)
    }
    if !link.pointee.use.isSuperset(of: use) {
      if use.contains(.bare), !link.pointee.use.contains(.bare) {
        defineBare(link.pointee.field, from: start, line: line)
      }
      link.pointee.use.add(use, to: link.pointee.field, &batch.definitions)
    }
    batch.appendField(Int(link.pointee.field), count: batch.byteCount - start)
    if holder.pointee.isCandidate { rejectCandidate() }
    if batch.byteCount >= 4 * fullByteCount { try flush() }
  }

  private mutating func endLooseValue(
    from start: Int, line: UInt32, _ use: ObjectPlaceTable.FieldUse
  ) throws(ObjectFailure) {
    guard top.pointee.kind == .array else { return rejectCollection() }
    top.pointee.memberCount = 1
    let place = top.pointee.place
    if places.places[Int(place)].textField < 0 {
      try places.defineText(of: place, &batch.definitions)
    }
    if !places.places[Int(place)].textUse.isSuperset(of: use) {
      if use.contains(.bare), !places.places[Int(place)].textUse.contains(.bare) {
        defineBare(places.places[Int(place)].textField, from: start, line: line)
      }
      places.places[Int(place)].textUse.add(
        use, to: places.places[Int(place)].textField, &batch.definitions)
    }
    batch.appendStart(place: Int(place), line: line)
    batch.appendField(
      Int(places.places[Int(place)].textField), count: batch.byteCount - start)
    batch.appendEnd(.value)
    try flushIfFull()
  }

  /// Says of a field that a value is no string.
  private mutating func defineBare(_ field: Int32, from start: Int, line: UInt32) {
    let bytes = UnsafeBufferPointer(
      start: batch.bytes + start, count: min(batch.byteCount - start, 40))
    batch.definitions.append(
      .bare(field: Int(field), value: String(decoding: bytes, as: UTF8.self), line: Int(line)))
  }

  /// A value that says that there is none.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func null(line: UInt32) throws(ObjectFailure) {
    let holder = top
    switch holder.pointee.kind {
    case .object:
      let link = places.links + Int(holder.pointee.current)
      if link.pointee.field < 0, !link.pointee.isStructured {
        try places.defineField(
          of: holder.pointee.current, place: holder.pointee.place, &batch.definitions)
      }
      if holder.pointee.isCandidate { rejectCandidate() }
    case .array:
      let place = places.places + Int(holder.pointee.place)
      if place.pointee.textField < 0, !place.pointee.hasStructuredItems {
        try places.defineText(of: holder.pointee.place, &batch.definitions)
      }
      holder.pointee.memberCount = 1
      batch.appendStart(place: Int(holder.pointee.place), line: line)
      batch.appendEnd(.null)
      try flushIfFull()
    case .collection: rejectCollection()
    }
  }
}
