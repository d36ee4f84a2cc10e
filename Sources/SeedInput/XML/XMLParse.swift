internal import CLibXML2
internal import SeedModel

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// One run of libxml2 over one document: the state that its callbacks share.
struct XMLParse {
  var filtered: XMLFilterReader
  var tokenizer: XMLTokenizer
  let name: String
  var context: xmlParserCtxtPtr?
  var failure: (any Error)?
  /// Why the document's bytes end before the document does.
  var endFailure: (any Error)?
  var outcome = ReaderOutcome()
  var seenUndeclaredPrefixes: Set<String> = []
  var inputByteCount: Int64 = 0
  var expandedByteCount: Int64 = 0
  var hasExternalSubset = false
  var attributeDeclarationCount = 0
  private let placeholderByteCount = XMLFilterOutput.placeholderByteCount
  /// Whether the document is what its elements say.
  ///
  /// Off until its root is there, and in a document of a form of its own: one flag for both, since
  /// each callback asks.
  private var isOrdinary = false
  private(set) var form: (any XMLForm)?
  /// Where tags stand, if that is asked for; the document is then not taken for ordinary.
  var places: XMLTokenPlaces?
  private var hasChosenForm = false
  private let recordName: String?
  /// How to read the document if it is a property list.
  private let objects: ObjectReading?

  init(
    chunks: HandoffChannel<XMLFilterChunk>, name: String, recordName: String?,
    objects: ObjectReading?, form: (any XMLForm)?, places: XMLTokenPlaces?,
    tokenizer: XMLTokenizer
  ) {
    self.name = name
    self.places = places
    hasChosenForm = form != nil
    self.form = form
    self.recordName = recordName
    self.objects = objects
    filtered = XMLFilterReader(channel: chunks, name: name)
    self.tokenizer = tokenizer
  }

  func deallocate() {
    filtered.deallocate()
    tokenizer.deallocate()
  }

  /// Whether the callbacks have nothing more to do: a flag, since each of them asks.
  var hasStopped = false

  // MARK: Running

  static func run(_ parse: UnsafeMutablePointer<XMLParse>) throws -> ReaderOutcome {
    XMLLibrary.silenceThread()
    var handler = XMLCallbacks.makeHandler()
    guard
      let context = xmlCreateIOParserCtxt(
        &handler, parse, XMLCallbacks.read, nil, parse, XML_CHAR_ENCODING_NONE)
    else {
      // The first bytes are read while the context is made.
      throw parse.pointee.failure ?? parse.pointee.endFailure
        ?? InputError(.empty, at: .init(file: parse.pointee.name))
    }
    defer {
      if let document = context.pointee.myDoc { xmlFreeDoc(document) }
      context.pointee.myDoc = nil
      xmlFreeParserCtxt(context)
    }
    parse.pointee.context = context
    // NOENT: without it libxml2 hands over "&#38;" for "&amp;" in attributes. HUGE: its own fixed
    // limits give way to InputLimits. IGNORE_ENC: the bytes are UTF-8 already, whatever they say.
    xmlCtxtUseOptions(
      context,
      Int32(
        XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_COMPACT.rawValue
          | XML_PARSE_HUGE.rawValue | XML_PARSE_IGNORE_ENC.rawValue))
    xmlParseDocument(context)
    return try parse.pointee.finish(isWellFormed: context.pointee.wellFormed == 1)
  }

  private mutating func finish(isWellFormed: Bool) throws -> ReaderOutcome {
    if let failure { throw failure }
    if outcome.wasCancelled { return outcome }
    if let endFailure { throw endFailure }
    guard isWellFormed else {
      throw InputError(
        .malformed("the document is not well-formed", hint: nil), at: .init(file: name))
    }
    do throws(XMLTokenizer.Failure) {
      if let form {
        try form.finish(inputBytesRead: inputByteCount, into: &tokenizer)
      } else {
        try tokenizer.flush(inputBytesRead: inputByteCount)
      }
    } catch {
      outcome.wasCancelled = true
    }
    outcome.remarks = (form?.remarks ?? []).map {
      Diagnostic(.warning, $0.message, at: SourceLocation(file: name, line: $0.line))
    }
    return outcome
  }

  // MARK: Called by libxml2

  /// Gives libxml2 its next bytes; -1 stops it.
  ///
  /// `xmlStopParser` is not for here: it frees the buffer that libxml2 is about to fill.
  mutating func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) -> Int {
    guard !hasStopped else { return -1 }
    do {
      let count = try filtered.read(
        into: buffer, capacity: capacity, parserOffset: currentOffset())
      inputByteCount = filtered.documentByteCount
      return count
    } catch {
      // Only the end to the parser: what is wrong before it comes first.
      endFailure = error
      return 0
    }
  }

  @inline(__always)
  mutating func startElement(
    _ key: XMLPlaceTable.NameKey, namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    namespaceCount: Int, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
  ) {
    guard !hasStopped else { return }
    if !isOrdinary {
      guard let isOrdinary = chooseForm(root: key) else { return }
      if !isOrdinary {
        return startFormElement(
          key, namespaces: namespaces, namespaceCount: namespaceCount, attributes: attributes,
          count: count)
      }
    }
    do throws(XMLTokenizer.Failure) {
      let offset = currentOffset()
      try takeText(before: offset)
      try tokenizer.start(key, line: filtered.line(ofTagBefore: offset))
      guard var cursor = attributes else { return }
      for _ in 0..<count {
        guard let attribute = attribute(at: cursor) else { return }
        try tokenizer.attribute(attribute.name, bytes: attribute.bytes, count: attribute.count)
        cursor += 5
      }
    } catch {
      stop(error)
    }
  }

  /// One of the attributes that libxml2 hands over, five pointers each.
  @inline(__always)
  mutating func attribute(
    at cursor: UnsafeMutablePointer<UnsafePointer<xmlChar>?>
  ) -> XMLFormAttribute? {
    guard let local = cursor[0], let value = cursor[3], let end = cursor[4] else { return nil }
    let name = XMLPlaceTable.NameKey(local: local, prefix: cursor[1], namespace: cursor[2])
    let length = end - value
    if length == placeholderByteCount, value[0] == 0x7F, let taken = filtered.value(for: value) {
      return XMLFormAttribute(name: name, bytes: taken.bytes, count: taken.count)
    }
    return XMLFormAttribute(name: name, bytes: value, count: length)
  }

  /// How far the parser is in its input; entities are inputs of their own, the document the first.
  @inline(__always)
  func currentOffset() -> Int64 {
    guard let input = context?.pointee.inputTab?[0] else { return 0 }
    return Int64(input.pointee.consumed) + Int64(input.pointee.cur - input.pointee.base)
  }

  /// Hands on a text that the filter took out before this offset.
  @inline(__always)
  private mutating func takeText(before offset: Int64) throws(XMLTokenizer.Failure) {
    guard let text = filtered.text(before: offset) else { return }
    try handOn(text.bytes, count: text.count)
  }

  @inline(__always)
  private mutating func handOn(
    _ bytes: UnsafePointer<UInt8>, count: Int
  ) throws(XMLTokenizer.Failure) {
    if !isOrdinary, let form {
      return try form.characters(bytes, count: count, into: &tokenizer)
    }
    try tokenizer.characters(bytes, count: count)
  }

  @inline(__always)
  mutating func characters(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard !hasStopped else { return }
    do throws(XMLTokenizer.Failure) {
      try handOn(bytes, count: count)
    } catch {
      stop(error)
    }
  }

  @inline(__always)
  mutating func endElement() {
    guard !hasStopped else { return }
    do throws(XMLTokenizer.Failure) {
      try takeText(before: currentOffset())
      guard isOrdinary else { return try endFormElement() }
      try tokenizer.end(inputBytesRead: inputByteCount)
    } catch {
      stop(error)
    }
  }

  // MARK: Forms

  /// Decides at the root whether the document has a form of its own; true when it is ordinary, nil
  /// when it cannot be read.
  private mutating func chooseForm(root: XMLPlaceTable.NameKey) -> Bool? {
    guard !hasChosenForm else { return false }
    hasChosenForm = true
    if let objects, !choosePropertyList(objects, root: root) { return nil }
    if form == nil, let context, let names = XMLFormNames(context) {
      form = XMLFormChoice.form(of: root, names: names, recordName: recordName)
    }
    isOrdinary = form == nil && places == nil
    return isOrdinary
  }

  /// Takes the document for a property list if its root says so; false when it should but does not.
  private mutating func choosePropertyList(
    _ objects: ObjectReading, root: XMLPlaceTable.NameKey
  ) -> Bool {
    guard root.written == "plist" else {
      guard objects.isRequired else { return true }
      stop(
        .malformed(
          "the root element is \"\(root.written)\", where a property list has \"plist\"",
          hint: "if this is any other XML, say --format xml"),
        atReference: "<")
      return false
    }
    do throws(XMLTokenizer.Failure) {
      form = try PropertyListForm(objects, insteadOf: &tokenizer)
      return true
    } catch {
      stop(error)
      return false
    }
  }

  private mutating func startFormElement(
    _ key: XMLPlaceTable.NameKey, namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    namespaceCount: Int, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
  ) {
    do throws(XMLTokenizer.Failure) {
      let offset = currentOffset()
      try takeText(before: offset)
      var element = XMLFormElement(
        name: key, line: filtered.line(ofTagBefore: offset), attributes: [])
      if form?.needsColumns == true {
        element.column = filtered.column(ofTagBefore: offset, line: Int(element.line))
      }
      if let attributes {
        for index in 0..<count {
          guard let attribute = attribute(at: attributes + 5 * index) else { break }
          element.attributes.append(attribute)
        }
      }
      if let namespaces {
        element.namespaces = (0..<namespaceCount).map {
          (namespaces[2 * $0], namespaces[2 * $0 + 1])
        }
      }
      guard places == nil else { return try startPlaced(element, before: offset) }
      try form?.start(element, into: &tokenizer)
    } catch {
      stop(error)
    }
  }

  private mutating func endFormElement() throws(XMLTokenizer.Failure) {
    guard places == nil else { return try endPlaced() }
    try form?.end(inputBytesRead: inputByteCount, into: &tokenizer)
  }
}
