internal import SeedFiles
internal import SeedInput
package import SeedModel

/// One input of a build, which may have to be read more than once.
///
/// A file is read again from its start; what comes through a pipe is kept in an unnamed file.
package final class InputDocument: @unchecked Sendable {
  // Unchecked: the reading thread has it while it runs, and nobody else then.
  package let input: BuildInput
  /// What its readings have found out about its structure.
  private(set) var findings = StructureFindings()
  private let file: FileSource
  private let spool: SpoolFile?
  private var isFirstReading = true
  /// Whether arrays and keyed collections with nothing in them are of interest; see ``TokenBatch``.
  package var marksEmptyMembers = false
  /// The input's format; known once it was opened.
  package private(set) var format = InputFormat.xml
  /// Whether the input turned out to be packed.
  private(set) var isPacked = false

  /// What there is to say before the input is read.
  private(set) var remarks: [Diagnostic] = []
  /// The encoding that outranks what the input says: the declared one, or what a server named.
  private var encoding: String?

  /// What errors call the input.
  package var name: String { input.name }

  /// The input's size in bytes; nil when it comes through a pipe or is packed.
  var size: Int64? { isPacked ? nil : file.size }

  /// Opens an input.
  ///
  /// - Throws: ``InputError``; ``FileError`` when there is no room for a pipe's bytes.
  package init(_ input: BuildInput, spoolDirectory: String?) throws {
    self.input = input
    switch input.origin {
    case .file(let path): file = try FileSource(path: path)
    case .standardInput: file = try FileSource(standardInput: ())
    }
    spool = file.isRegular ? nil : try SpoolFile(in: spoolDirectory)
    encoding = input.encoding
    if encoding == nil, let charset = input.charset { try weigh(charset) }
  }

  /// Opens the inputs of a build, and says what there is to say of them before they are read.
  ///
  /// - Throws: As ``init(_:spoolDirectory:)``.
  package static func all(of options: BuildOptions) throws -> [InputDocument] {
    let documents = try options.inputs.map { try InputDocument($0, spoolDirectory: nil) }
    for remark in documents.flatMap(\.remarks) { options.onDiagnostic?(remark) }
    return documents
  }

  /// Takes the encoding that a server names for what the standards let it be.
  private func weigh(_ charset: String) throws {
    let (source, settings): (any ByteSource, ReaderSettings)
    do {
      (source, settings) = try open()
    } catch is InputError {
      // The reading that follows has it to tell.
      return
    }
    let (prefix, _) = try PrefixedSource.peek(ServerCharset.prefixByteCount, from: source)
    let choice = ServerCharset.choose(charset, format: settings.format, prefix: prefix)
    encoding = choice.encoding
    if let doubt = choice.doubt {
      remarks.append(
        Diagnostic(
          .warning, doubt.message, at: SourceLocation(file: name), hint: doubt.hint))
    }
  }

  /// The input's bytes from the start, unpacked, and how to read them.
  ///
  /// - Throws: ``InputError``.
  func open() throws -> (source: any ByteSource, settings: ReaderSettings) {
    let bytes = try unpacked()
    let stem = SourceName(name).stem
    let isNameless = input.origin == .standardInput || stem.isEmpty
    let recordName = input.recordName ?? (isNameless ? InputDocument.namelessRecord : stem)
    func settings(_ format: InputFormat) -> ReaderSettings {
      self.format = format
      var result = ReaderSettings(
        name: name, format: format, recordName: recordName, encoding: encoding)
      result.layout = input.layout
      result.marksEmptyMembers = marksEmptyMembers
      return result
    }
    if let format = input.format { return (bytes, settings(format)) }
    let (prefix, whole) = try PrefixedSource.peek(FormatDetection.prefixByteCount, from: bytes)
    guard
      let format = FormatDetection.format(name: name, prefix: prefix, layout: input.layout)
    else {
      throw FormatDetection.failure(name: name, prefix: prefix)
    }
    return (whole, settings(format))
  }

  /// What records of the standard input are called when nothing else names them.
  private static let namelessRecord = "record"

  /// The input's bytes from the start, as they come.
  func packed() throws -> any ByteSource {
    if !isFirstReading {
      if let spool { spool.rewind() } else { try file.rewind() }
    }
    isFirstReading = false
    return spool.map { SpoolingSource(file, $0, name: name) } ?? file
  }

  private func unpacked() throws -> any ByteSource {
    let bytes = try packed()
    let (prefix, whole) = try PrefixedSource.peek(2, from: bytes)
    isPacked = prefix.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { GzipSource.isGzip($0, count: buffer.count) } ?? false
    }
    // Of the mark there is half: a download that was cut off, and no text.
    if prefix == [GzipSource.magic[0]], name.lowercased().hasSuffix(".gz") {
      throw InputError(
        .truncatedGzip(byteCount: 1, unpacked: 0), at: SourceLocation(file: name))
    }
    return isPacked ? GzipSource(whole, name: name) : whole
  }

  /// Fails when the input was written to since it was opened.
  ///
  /// - Throws: ``InputError``.
  func checkUnchanged() throws { try file.checkUnchanged() }
}

/// Keeps what comes through a pipe, and gives what was kept before it goes on.
private final class SpoolingSource: ByteSource {
  private let pipe: FileSource
  private let spool: SpoolFile
  private let name: String
  private var hasReadSpool = false

  init(_ pipe: FileSource, _ spool: SpoolFile, name: String) {
    self.pipe = pipe
    self.spool = spool
    self.name = name
  }

  func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) throws -> Int {
    if !hasReadSpool {
      let count = try spool.read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
      if count > 0 { return count }
      hasReadSpool = true
    }
    let count = try pipe.read(into: buffer, capacity: capacity)
    try spool.append(UnsafeRawBufferPointer(start: buffer, count: count))
    return count
  }
}
