package import SeedModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension InputError: CustomStringConvertible {
  /// The message: present tense, lower case, no full stop.
  package var description: String {
    switch reason {
    case .missing, .missingCompanion: "no such file"
    case .isDirectory: "this is a directory, not a file"
    case .unreadable(let operation, let code):
      "cannot \(operation): \(InputError.systemMessage(code))"
    case .changedWhileRead: "the file changed while it was read"
    case .damagedGzip(let detail): "the gzip data is damaged (\(detail))"
    case .truncatedGzip(let byteCount, let unpacked):
      "the gzip data is cut off: it ends after \(InputError.bytes(byteCount)), which unpack to "
        + "\(InputError.bytes(unpacked)), and before its end mark"
    case .unknownEncoding(let name): "the encoding \"\(name)\" is not known"
    case .wrongEncoding(let declared):
      "the document declares the encoding \"\(declared)\" but is not written in it"
    case .undecodable(let encoding, nil): "these bytes are not valid \(encoding)"
    case .undecodable(let encoding, let byte?):
      "the byte \(InputError.hexadecimal(byte)) is not valid \(encoding) here"
    case .cutCharacter(let encoding): "the document ends inside a character of \(encoding)"
    case .nulByte: "a NUL byte, which no text may contain"
    case .notXML(let other):
      other.map { "this is not XML but looks like \($0)" } ?? "this is not XML: a \"<\" is expected"
    case .formatUnknown: "the format of this file cannot be told from its name or content"
    case .notReadable(let other):
      FormatGuess.format(of: other) == nil
        ? "this looks like \(other), which is no source to build from"
        : "this looks like \(other), which is another format than it is read as"
    case .emptyFile: "the file is empty"
    case .empty: "the file is empty: an XML document needs a root element"
    case .noElement: "the document has no element, where it needs a root element"
    case .malformed(let message, _): message
    case .delimited(let fault): fault.description
    case .undeclaredEntity(let name, _): "the entity \"\(name)\" is not declared in the document"
    case .externalEntity(let name):
      "the entity \"\(name)\" is outside the document and is not loaded"
    case .entityExpansion:
      "the entities expand to more than \(InputLimits.entityExpansionFactor) times the document's size"
    case .tooDeep: "elements are nested more than \(InputLimits.depth) deep"
    case .valuesTooDeep: "objects and arrays are nested more than \(InputLimits.depth) deep"
    case .tooLong(let what, let limit): "\(what) is longer than \(InputError.size(limit))"
    case .tooMany(let what, let limit): "more than \(limit) \(what)"
    case .tooManyColumns(let element):
      "the elements \"\(element)\" need more than \(InputLimits.columnsPerTable) columns"
    }
  }

  /// What to do about it, when there is something to say.
  package var hint: String? {
    switch reason {
    case .missing: "check the path; \"-\" reads standard input"
    case .missingCompanion: "check the path"
    case .unreadable(_, EMFILE), .unreadable(_, ENFILE):
      "name fewer files at once, or raise the limit of open files (ulimit -n)"
    case .isDirectory: "name the files in it"
    case .changedWhileRead: "build from a file that nothing writes to any more"
    case .damagedGzip: "get the file again; \"gzip -t\" tests it"
    case .truncatedGzip:
      "get the whole file again and compare its size with that at its origin; \"gzip -t\" tests it"
    case .unknownEncoding: "name another one with --encoding; \"iconv -l\" lists the usual ones"
    case .wrongEncoding, .undecodable:
      "name the right encoding with --encoding, or in the declaration of an XML document"
    case .notReadable(let other), .notXML(let other?):
      FormatGuess.format(of: other).map {
        "read it with --format \($0.rawValue), or see whether it is the right file"
      } ?? FormatGuess.advice(on: other, called: location.file)
    case .formatUnknown: FormatGuess.advice(onFileCalled: location.file)
    case .emptyFile, .empty: "get the file again; this one holds nothing"
    case .noElement: "see whether it is the right file, and whole"
    case .cutCharacter: "get the file again; this one is cut off or in another encoding"
    case .nulByte: "if the file is in UTF-16 or UTF-32, name that with --encoding"
    case .malformed(_, let hint): hint
    case .delimited(let fault): fault.hint
    case .undeclaredEntity(_, true):
      "only entities that the document itself declares are known; its external DTD is never read"
    case .undeclaredEntity(_, false):
      "declare it, or write the character itself; \"&amp;\" is a plain \"&\""
    case .externalEntity: "put the entity's text into the document"
    case .entityExpansion: "expand the entities beforehand, if the document can be trusted"
    case .tooLong: "see whether its end is missing; longer ones are not read"
    case .tooDeep: "see whether end tags are missing; deeper documents are not read"
    case .valuesTooDeep: "see whether closing brackets are missing; deeper documents are not read"
    case .tooManyColumns:
      "SQLite takes no more in a table; split the elements, or leave attributes out"
    case .tooMany: "this bound keeps the memory of a build bounded"
    default: nil
    }
  }

  /// The system's words for an error number, in lower case as ours are.
  private static func systemMessage(_ code: Int32) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The error as a diagnostic to print.
  package var diagnostic: Diagnostic {
    Diagnostic(.error, description, at: location, excerpt: excerpt, hint: hint)
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  private static func bytes(_ count: Int64) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

  private static func size(_ byteCount: Int) -> String {
    byteCount >= 1 << 20 ? "\(byteCount >> 20) MiB" : "\(byteCount) bytes"
  }
}
