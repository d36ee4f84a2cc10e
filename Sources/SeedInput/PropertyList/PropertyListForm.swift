internal import SeedModel

/// A property list in XML (`man 5 plist`): the dictionaries, arrays and values that its elements say.
///
///     <plist version="1.0"><dict><key>name</key><string>x</string>…</dict></plist>
final class PropertyListForm: XMLForm {
  private enum Level: Equatable {
    case list
    case dictionary(expectsKey: Bool)
    case array
    case key
    case value(PropertyListValue)
  }

  private var tokenizer: ObjectTokenizer
  private var levels: [Level] = []
  private var hasValue = false
  /// The line of the value that is open, and where in the batch's bytes it starts.
  private var line: UInt32 = 0
  private var start = 0
  /// The text of the key or value that is open, unless it goes straight to the batch.
  private var text: [UInt8] = []
  private let longestValue = InputLimits.rowBytes

  let remarks: [XMLFormRemark] = []

  /// A form at the start of a document, which takes the tokenizer's place.
  ///
  /// - Throws: ``XMLTokenizer/Failure``, when the name of the records is too long.
  init(
    _ reading: ObjectReading, insteadOf xml: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    let (batch, deliver) = xml.handOver()
    do throws(ObjectFailure) {
      tokenizer = try ObjectTokenizer(
        reading.settings, findings: reading.findings, firstBatch: batch, deliver: deliver)
    } catch {
      batch.deallocate()
      throw PropertyListForm.failure(error)
    }
  }

  deinit {
    tokenizer.deallocate()
  }

  private static func failure(_ failure: ObjectFailure) -> XMLTokenizer.Failure {
    switch failure {
    case .cancelled: .cancelled
    case .limit(let reason): .limit(reason)
    case .duplicate(let key):
      .limit(
        .malformed(
          "the dictionary has the key \"\(key)\" already",
          hint: "one of the two values would be lost; rename it, or make an array of them"))
    }
  }

  private static func malformed(_ message: String, hint: String? = nil) -> XMLTokenizer.Failure {
    .limit(.malformed(message, hint: hint))
  }

  private func passingOn(
    _ body: (inout ObjectTokenizer) throws(ObjectFailure) -> Void
  ) throws(XMLTokenizer.Failure) {
    do throws(ObjectFailure) {
      try body(&tokenizer)
    } catch {
      throw PropertyListForm.failure(error)
    }
  }

  func note(_ place: TokenPlace) { tokenizer.tokenPlace = place }

  // MARK: Elements

  func start(
    _ element: XMLFormElement, into xml: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    let name = element.name.written
    line = element.line
    guard let level = levels.last else {
      levels.append(.list)
      return
    }
    if name == "key" { return try startKey(in: level) }
    let kind = PropertyListValue(elementName: name)
    guard kind != nil || name == "dict" || name == "array" else {
      throw PropertyListForm.malformed(
        "the element \"\(name)\" is none of a property list",
        hint: "values stand in dict, array, string, integer, real, true, false, date or data")
    }
    try expectValue(name, in: level, isContainer: kind == nil)
    switch name {
    case "dict":
      levels.append(.dictionary(expectsKey: true))
      try passingOn { it throws(ObjectFailure) in try it.startObject(line: line) }
    case "array":
      levels.append(.array)
      try passingOn { it throws(ObjectFailure) in try it.startArray(line: line) }
    default:
      if let kind { levels.append(.value(kind)) }
      start = tokenizer.batch.byteCount
      text.removeAll(keepingCapacity: true)
    }
  }

  private func startKey(in level: Level) throws(XMLTokenizer.Failure) {
    switch level {
    case .dictionary(expectsKey: true):
      levels.append(.key)
      text.removeAll(keepingCapacity: true)
    case .dictionary:
      throw PropertyListForm.malformed("a key stands where the value of the one before is expected")
    default:
      throw PropertyListForm.malformed("a key stands outside of a dictionary")
    }
  }

  private func expectValue(
    _ name: String, in level: Level, isContainer: Bool
  ) throws(XMLTokenizer.Failure) {
    switch level {
    case .list:
      guard !hasValue else {
        throw PropertyListForm.malformed("the property list has a second value")
      }
      guard isContainer else {
        throw PropertyListForm.malformed(
          "a property list to build from is a dictionary or an array, not \"\(name)\"")
      }
      hasValue = true
    case .dictionary(expectsKey: true):
      throw PropertyListForm.malformed(
        "the element \"\(name)\" stands where a key is expected",
        hint: "a dictionary has a key before each value")
    case .dictionary: levels[levels.count - 1] = .dictionary(expectsKey: true)
    case .array: break
    case .key, .value:
      throw PropertyListForm.malformed("the element \"\(name)\" stands inside a value")
    }
  }

  func characters(
    _ bytes: UnsafePointer<UInt8>, count: Int, into xml: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    let piece = UnsafeBufferPointer(start: bytes, count: count)
    switch levels.last {
    case .value(.string):
      guard tokenizer.batch.byteCount - start + count <= longestValue else { throw tooLong }
      tokenizer.batch.append(bytes: bytes, count: count)
    case .value(.data):
      guard tokenizer.batch.byteCount - start + count <= longestValue else { throw tooLong }
      for byte in piece where !XMLName.isBlank(byte) { tokenizer.batch.append(byte: byte) }
    case .key, .value:
      guard text.count + count <= longestValue else { throw tooLong }
      text.append(contentsOf: piece)
    default:
      guard piece.allSatisfy(XMLName.isBlank) else {
        throw PropertyListForm.malformed("text stands outside of a value")
      }
    }
  }

  private var tooLong: XMLTokenizer.Failure {
    .limitOf(.tooLong(what: "a value", limit: longestValue), line: line)
  }

  func end(
    inputBytesRead: Int64, into xml: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    tokenizer.inputBytesRead = inputBytesRead
    switch levels.popLast() {
    case .list:
      guard hasValue else { throw PropertyListForm.malformed("the property list has no value") }
    case .dictionary(expectsKey: false):
      throw PropertyListForm.malformed("the last key of the dictionary has no value")
    case .dictionary: try passingOn { it throws(ObjectFailure) in try it.endObject() }
    case .array: try passingOn { it throws(ObjectFailure) in try it.endArray() }
    case .key: try endKey()
    case .value(let kind): try endValue(kind)
    case nil: break
    }
  }

  func finish(
    inputBytesRead: Int64, into xml: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    tokenizer.inputBytesRead = inputBytesRead
    try passingOn { it throws(ObjectFailure) in try it.finish() }
  }

  // MARK: Values

  private func endKey() throws(XMLTokenizer.Failure) {
    levels[levels.count - 1] = .dictionary(expectsKey: false)
    // One more byte, so that an empty key has an address too.
    text.append(0)
    try passingOn { it throws(ObjectFailure) in
      try text.withUnsafeBufferPointer { bytes throws(ObjectFailure) in
        guard let base = bytes.baseAddress else { return }
        try it.name(base, count: bytes.count - 1)
      }
    }
  }

  private func endValue(_ kind: PropertyListValue) throws(XMLTokenizer.Failure) {
    guard kind.append(text, from: start, to: &tokenizer.batch) else {
      let written = String(decoding: text.prefix(40), as: UTF8.self)
      throw PropertyListForm.malformed(
        kind == .data
          ? "the data is not written in Base64" : "\"\(written)\" is no value of \(kind.rawValue)",
        hint: kind.hint)
    }
    let use: ObjectPlaceTable.FieldUse =
      switch kind {
      case .data: .data
      case .real: [.plain, .bare, .real]
      case .string: .plain
      default: [.plain, .bare]
      }
    try passingOn { it throws(ObjectFailure) in try it.endValue(from: start, line: line, use) }
  }
}
