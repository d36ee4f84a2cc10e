internal import SeedBuilder
internal import SeedModel

/// What does not fit of the values and objects, in words.
extension ObjectAssembler {
  private func place(
    _ object: UnsafeMutablePointer<OpenObject>, _ value: UnsafeBufferPointer<UInt8>? = nil
  ) -> RowMisfits.Place {
    .input(
      document: book.number, line: Int(object.pointee.line),
      value: value.map { Array($0.prefix(TokenTrace.longestValue)) },
      object: .open(object - objects.base))
  }

  private func entity(of object: UnsafeMutablePointer<OpenObject>) -> EntityPlan {
    plan.entities[shapes[object.pointee.shape].entity]
  }

  @inline(never)
  func note(
    _ conversion: UnsafeMutablePointer<AttributeConversion>, _ value: UnsafeBufferPointer<UInt8>,
    _ reason: String, _ hint: String?, _ object: UnsafeMutablePointer<OpenObject>,
    where place: String? = nil
  ) {
    let kind = "\(shapes[object.pointee.shape].table) \(conversion.pointee.attribute.name)"
    guard misfits.takes(kind) else { return }
    let shown = String(decoding: value.prefix(80), as: UTF8.self) + (value.count > 80 ? "…" : "")
    let subject = value.isEmpty ? "the value" : "\"\(shown)\""
    misfits.add(
      "\(subject) \(reason) in "
        + (place
          ?? "attribute \(conversion.pointee.attribute.name) of \(entity(of: object).name)"),
      hint: conversion.pointee.attribute.isGuessed ? plan.hint(hint) : hint,
      at: self.place(object, value), kind: kind)
  }

  @inline(never)
  func noteWrongDefault(
    _ wrong: ObjectShape.WrongDefault, _ object: UnsafeMutablePointer<OpenObject>
  ) {
    // What was said of a value that did not fit is enough.
    guard !object.pointee.isSet[wrong.column] || misfits.isEmpty else { return }
    let name = entity(of: object).name
    misfits.add(
      "\(name) gets the model's default for attribute \(wrong.attribute), which \(wrong.fault)",
      hint: "give it a value, or correct the default in the model", at: place(object),
      kind: "default \(name) \(wrong.attribute)")
  }

  @inline(never)
  func noteSecondValue(
    _ object: UnsafeMutablePointer<OpenObject>,
    _ conversion: UnsafeMutablePointer<AttributeConversion>, _ value: UnsafeBufferPointer<UInt8>
  ) {
    let name = conversion.pointee.attribute.name
    misfits.add(
      "a second value for attribute \(name) of \(entity(of: object).name)",
      hint: plan.hint("make it a to-many relationship, or a Transformable"),
      at: place(object, value), kind: "second \(name)")
  }

  @inline(never)
  func noteSecondObject(
    _ inner: UnsafeMutablePointer<OpenObject>, _ link: UnsafeMutablePointer<NestedLink>
  ) {
    misfits.add(
      "a second object for the to-one relationship \(link.pointee.name)", hint: nil,
      // It is about to be opened: the element is the innermost one.
      at: .input(document: book.number, line: Int(inner.pointee.line), value: nil),
      kind: "second \(link.pointee.name)")
  }

  @inline(never)
  func noteMissing(_ attribute: String, _ object: UnsafeMutablePointer<OpenObject>) {
    let name = entity(of: object).name
    let kind = "missing \(name).\(attribute)"
    // What was said of a value that did not fit is enough.
    guard
      let column = entity(of: object).attributes.first(where: { $0.model.name == attribute })?
        .column, !(object.pointee.isSet[column] && !misfits.isEmpty)
    else { return }
    guard misfits.takes(kind) else { return }
    misfits.add(
      "there is no value for attribute \(attribute) of \(name), which is not optional",
      hint: "name its source or a default in seed.json, or make it optional in the model",
      at: place(object), kind: kind)
  }
}
