internal import SeedModel

/// Where the tags of a document stand, for the places of tokens.
struct XMLTokenPlaces {
  /// The offset at which the last tag ends.
  var lastTag: Int64 = 0
  /// Those of the start tags of the open elements.
  var open: [Int64] = []
}

/// Reading for the sake of places: each token is handed over with its own.
extension XMLParse {
  mutating func startPlaced(
    _ element: XMLFormElement, before offset: Int64
  ) throws(XMLTokenizer.Failure) {
    let tag = filtered.documentOffset(of: offset)
    let place = TokenPlace(offset: tag, kind: .tag)
    places?.open.append(tag)
    if let form {
      form.note(place)
      try form.start(element, into: &tokenizer)
      try tokenizer.flush(at: place, inputBytesRead: inputByteCount)
    } else {
      try tokenizer.endText()
      try flush(contentOf: places?.lastTag)
      try tokenizer.start(element.name, line: element.line)
      try tokenizer.flush(at: place, inputBytesRead: inputByteCount)
      for attribute in element.attributes {
        try tokenizer.attribute(attribute.name, bytes: attribute.bytes, count: attribute.count)
        try tokenizer.flush(
          at: TokenPlace(offset: tag, kind: .attribute(attribute.name.written)),
          inputBytesRead: inputByteCount)
      }
    }
    places?.lastTag = tag
  }

  mutating func endPlaced() throws(XMLTokenizer.Failure) {
    let own = places?.open.popLast()
    if let form {
      form.note(TokenPlace(offset: own ?? 0, kind: .content))
      try form.end(inputBytesRead: inputByteCount, into: &tokenizer)
      try flush(contentOf: own)
    } else {
      try tokenizer.end(inputBytesRead: inputByteCount)
      try flush(contentOf: places?.lastTag)
    }
    let offset = filtered.documentOffset(of: currentOffset())
    places?.lastTag = offset
  }

  private mutating func flush(contentOf tag: Int64?) throws(XMLTokenizer.Failure) {
    try tokenizer.flush(
      at: TokenPlace(offset: tag ?? 0, kind: .content), inputBytesRead: inputByteCount)
  }
}
