import SeedBuilder
import SeedFetch
import SeedInput

/// What was fetched for a command, as inputs of a build.
struct FetchedInputs {
  private let sources: [FetchedSource]
  private let lockPath: String?
  private let ownsLock: Bool
  /// The tables that were fetched, which no source of a build reads.
  let contributions: [TableContribution]

  /// Nothing was fetched.
  init() {
    self.init([], lockPath: nil, ownsLock: false)
  }

  /// The sources that were fetched, in their order, and where that is recorded, if it is.
  init(
    _ sources: [FetchedSource], lockPath: String?, ownsLock: Bool,
    contributions: [TableContribution] = []
  ) {
    self.contributions = contributions
    self.sources = sources
    self.lockPath = lockPath
    self.ownsLock = ownsLock
  }

  /// The pages of each source that was fetched, in the order of the sources.
  var pages: [[FetchedPage]] { sources.map(\.pages) }

  /// Pages as inputs of which the same is declared.
  static func inputs(_ pages: [FetchedPage]?, like template: BuildInput) -> [BuildInput] {
    let pages = pages ?? []
    // Records without a name of their own are called after the first page, wherever the next lie.
    let stem = pages.first.map { SourceName($0.displayName).stem } ?? ""
    return pages.enumerated().map { index, page in
      var input = template
      input.origin = .file(page.path)
      input.name = page.displayName
      input.charset = page.charset
      if index > 0, input.recordName == nil, !stem.isEmpty { input.recordName = stem }
      return input
    }
  }

  /// Records what was fetched in the lock file.
  ///
  /// - Throws: ``FetchError`` when it cannot be read or written.
  func writeLock() throws {
    guard let lockPath else { return }
    var lock = ownsLock ? FetchLock() : try FetchLock.read(lockPath) ?? FetchLock()
    lock.record(sources)
    try lock.write(to: lockPath)
  }
}
