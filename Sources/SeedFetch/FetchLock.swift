package import SeedFiles
internal import SeedModel
internal import SeedTransport

/// What was fetched for a build: the content of `seed.lock`.
///
/// Sorted and without dates, so that the same content is the same text.
package struct FetchLock: Sendable, Hashable {
  /// One page with its content's digest.
  package struct Page: Sendable, Hashable {
    package var url: String
    package var sha256: String
    package var byteCount: Int64
    /// The encoding that the server named, if it did.
    package var charset: String?

    /// Creates a page.
    package init(url: String, sha256: String, byteCount: Int64, charset: String? = nil) {
      self.charset = charset
      self.url = url
      self.sha256 = sha256
      self.byteCount = byteCount
    }

    /// Whether the bytes are the same, from the same address.
    func isSameDocument(as other: Page) -> Bool {
      url == other.url && sha256 == other.sha256 && byteCount == other.byteCount
    }
  }

  /// The file's usual name.
  package static let fileName = "seed.lock"
  /// What a lock file may replace: others, of this version or of another.
  private static let kind = FileKind("a lock file of seed", byteLimit: byteLimit) { bytes in
    guard let document = try? JSONValue(parsing: bytes) else { return false }
    return document["format"]?.integerValue != nil && document["sources"]?.arrayValue != nil
  }
  /// No lock file is longer.
  private static let byteLimit = 64 << 20

  /// The pages of each source, by its address without secrets.
  package private(set) var sources: [String: [Page]]

  /// A lock of nothing.
  package init() {
    sources = [:]
  }

  /// A lock of what was fetched.
  package init(_ fetched: [FetchedSource]) {
    self.init()
    record(fetched)
  }

  /// Takes in what was fetched, in place of what is there about the same sources.
  package mutating func record(_ fetched: [FetchedSource]) {
    sources.merge(Self.pages(of: fetched)) { $1 }
  }

  /// Fails unless each source is what the lock has.
  ///
  /// - Throws: ``FetchError``.
  package func check(_ fetched: [FetchedSource]) throws(FetchError) {
    for (url, got) in Self.pages(of: fetched).sorted(by: { $0.key < $1.key }) {
      try check(got, at: url)
    }
  }

  /// What keeps each source from being what the lock has, in the order of their addresses.
  package func deviations(of fetched: [FetchedSource]) -> [FetchError] {
    Self.pages(of: fetched).sorted { $0.key < $1.key }.compactMap { url, got in
      do throws(FetchError) {
        try check(got, at: url)
        return nil
      } catch {
        return error
      }
    }
  }

  /// The pages of one source out of those that share an address; nil if they cannot be told apart.
  internal func pages(of url: String, number: Int, amongst count: Int) -> [Page]? {
    guard let pages = sources[url] else { return nil }
    // No page leads to one that was there before, so the address itself begins a source.
    let starts = pages.indices.filter { pages[$0].url == url }
    guard starts.count == count, starts.first == 0, number < count else { return nil }
    let end = number + 1 < count ? starts[number + 1] : pages.endIndex
    return Array(pages[starts[number]..<end])
  }

  private func check(_ got: [Page], at url: String) throws(FetchError) {
    guard let expected = sources[url] else { throw FetchError(.notLocked, place: url) }
    for (expected, got) in zip(expected, got) where !expected.isSameDocument(as: got) {
      throw FetchError(.lockDiffers(.content(expected: expected, got: got)), place: got.url)
    }
    guard expected.count == got.count else {
      throw FetchError(
        .lockDiffers(.pageCount(expected: expected.count, got: got.count)), place: url)
    }
  }

  /// The pages by the address of their source: several sources may differ in their headers alone.
  private static func pages(of fetched: [FetchedSource]) -> [String: [Page]] {
    var pages: [String: [Page]] = [:]
    for source in fetched {
      pages[source.displayName, default: []] += source.pages.map {
        Page(
          url: $0.displayName, sha256: $0.sha256, byteCount: $0.byteCount, charset: $0.charset)
      }
    }
    return pages
  }

  /// Reads a lock file; nil if there is none.
  ///
  /// - Throws: ``FetchError``.
  package static func read(
    _ path: String, files: FileSystem = .live
  ) throws(FetchError) -> FetchLock? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try files.contents(of: path, limit: byteLimit)
    } catch {
      throw FetchError(.cache(error), place: path)
    }
    guard let bytes else { return nil }
    do throws(JSONError) {
      let document = try JSONValue(parsing: bytes)
      guard let lock = FetchLock(document) else {
        throw JSONError(.meaning("it is not of format 1"), at: SourceLocation(file: path))
      }
      return lock
    } catch {
      throw FetchError(.lockMalformed("\(error)"), place: path)
    }
  }

  /// Writes the lock file, unless it has this content already.
  ///
  /// - Throws: ``FetchError``; the file is then as it was.
  package func write(to path: String, files: FileSystem = .live) throws(FetchError) {
    let text = Array(document.text.utf8)
    do throws(FileError) {
      if try files.contents(of: path, limit: text.count + 1) == text { return }
    } catch {
      throw FetchError(.cache(error), place: path)
    }
    try SmallFile.write(text, to: path, replacing: .file(Self.kind), files: files)
  }

  private var document: JSONValue {
    let sources = sources.sorted { $0.key < $1.key }.map { url, pages -> JSONValue in
      let pages = pages.map { page -> JSONValue in
        var members: [JSONValue.Member] = [
          .init("url", .string(page.url)), .init("sha256", .string(page.sha256)),
          .init("size", .integer(page.byteCount)),
        ]
        if let charset = page.charset { members.append(.init("charset", .string(charset))) }
        return .object(members)
      }
      return ["url": .string(url), "pages": .array(pages)]
    }
    return ["format": 1, "sources": .array(sources)]
  }

  private init?(_ document: JSONValue) {
    guard document["format"] == 1, let entries = document["sources"]?.arrayValue else {
      return nil
    }
    self.init()
    for entry in entries {
      guard let url = entry["url"]?.stringValue, let pages = entry["pages"]?.arrayValue else {
        return nil
      }
      // Locks of earlier versions have whatever a server put into the address of a next page.
      let redaction = Redaction(ownQuery: String(url.drop { $0 != "?" }.dropFirst()))
      let read = pages.compactMap { page -> Page? in
        guard let url = page["url"]?.stringValue, let sha256 = page["sha256"]?.stringValue,
          let byteCount = page["size"]?.integerValue
        else { return nil }
        return Page(
          url: redaction.shown(url), sha256: sha256, byteCount: byteCount,
          charset: page["charset"]?.stringValue)
      }
      guard read.count == pages.count else { return nil }
      sources[url] = read
    }
  }
}
