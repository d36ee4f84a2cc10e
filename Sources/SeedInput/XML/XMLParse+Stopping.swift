internal import CLibXML2
internal import SeedModel

/// How a reading ends before the document does.
extension XMLParse {
  mutating func stop(_ failure: XMLTokenizer.Failure) {
    switch failure {
    case .limit(let reason): stop(reason)
    case .limitOf(let reason, let line):
      stop(InputError(reason, at: SourceLocation(file: name, line: Int(line))))
    case .cancelled:
      outcome.wasCancelled = true
      hasStopped = true
      if let context { xmlStopParser(context) }
    }
  }

  /// Stops at the place where the parser stands.
  mutating func stop(_ reason: InputError.Reason) {
    let context = errorContext
    stop(reason, at: context.index, in: context)
  }

  /// Stops at the start of the reference behind which the parser stands.
  mutating func stop(_ reason: InputError.Reason, atReference mark: StaticString) {
    let context = errorContext
    stop(reason, at: context.last(mark, before: context.index) ?? context.index, in: context)
  }

  private mutating func stop(
    _ reason: InputError.Reason, at index: Int, in context: XMLErrorContext
  ) {
    let place = context.place(of: index)
    stop(InputError(reason, at: place.location, excerpt: place.excerpt))
  }

  private mutating func stop(_ error: any Error) {
    if failure == nil { failure = error }
    hasStopped = true
    if let context { xmlStopParser(context) }
  }

  private var errorContext: XMLErrorContext { filtered.context(ofOutputOffset: currentOffset()) }

  // MARK: The parser's errors

  /// Called for each of libxml2's own errors.
  mutating func report(_ error: xmlErrorPtr) {
    guard !hasStopped, error.pointee.level.rawValue >= XML_ERR_ERROR.rawValue,
      !XMLErrorWording.isHarmless(error.pointee)
    else { return }
    if error.pointee.code == Int32(XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue) {
      noteUndeclaredPrefix(error.pointee.str1.map { String(cString: $0) } ?? "")
      return
    }
    let context = errorContext
    let wording = XMLErrorWording(error.pointee, in: context, openLine: tokenizer.openLine)
    // The text of a general entity is parsed by a context of its own, that of a parameter entity
    // is an input of the document's.
    if error.pointee.ctxt != contextPointer || (self.context?.pointee.inputNr ?? 0) > 1 {
      let fault = wording.faultInEntity
      stop(fault.reason, at: fault.index, in: context)
    } else if let endFailure, wording.isAboutEnd, context.isAtEnd {
      stop(endFailure)
    } else if wording.isAboutMissingText, context.isAtEnd {
      stopAtEnd()
    } else {
      let fault = wording.fault
      stop(fault.reason, at: fault.index, in: context)
    }
  }

  private mutating func stopAtEnd() {
    let hint = XMLErrorWording.cutHint
    guard let markup = filtered.unfinishedMarkup else {
      stop(.malformed("the document ends inside a tag or a reference", hint: hint))
      return
    }
    stop(
      InputError(
        .malformed("the document ends inside \(markup.what)", hint: hint),
        at: markup.place.location, excerpt: markup.place.excerpt))
  }

  private mutating func noteUndeclaredPrefix(_ prefix: String) {
    guard outcome.undeclaredPrefixes.count < XMLParse.mostUndeclaredPrefixes,
      seenUndeclaredPrefixes.insert(prefix).inserted
    else { return }
    let context = errorContext
    let tag = context.last("<", before: context.index) ?? context.index
    outcome.undeclaredPrefixes.append((prefix, context.place(of: tag).location))
  }

  /// Nobody reads more warnings than these.
  private static let mostUndeclaredPrefixes = 20
}
