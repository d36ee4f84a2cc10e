internal import SeedFiles
internal import SeedTransport

extension FetchError: CustomStringConvertible {
  /// The place and what is wrong, on one line.
  package var description: String { place.isEmpty ? message : "\(place): \(message)" }

  /// What is wrong, without the place.
  package var message: String {
    switch reason {
    case .transport(let error): error.message
    case .missingVariable(let name): "the environment variable \"\(name)\" is not set"
    case .notCached: "the cache does not have this document"
    case .lockedNotCached: "the cache does not have the document that the lock file names"
    case .webPage(let url):
      "the server sent a web page" + (url == place ? "" : " when asked for \"\(url)\"")
    case .pageLoop(let url): "the page \"\(url)\" comes a second time"
    case .tooManyPages(let limit): "the source has more than \(limit) pages"
    case .lockMissing: "no such file, and everything fetched is to be compared with it"
    case .lockMalformed(let detail): "this is no lock file: \(detail)"
    case .notLocked: "the lock file does not speak of this source"
    case .lockDiffers(.content(let expected, let got)):
      "the document is not the locked one: expected \(Self.text(expected)), got \(Self.text(got))"
    case .lockDiffers(.pageCount(let expected, let got)):
      "the source is not the locked one: expected \(expected) pages, got \(got)"
    case .cache(let error):
      "the cache cannot be used: \(error.reason) (\(error.operation.rawValue))"
    case .unwritable(let error): error.message
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch reason {
    case .transport(let error):
      switch error.reason {
      case .unreachable, .timedOut(.connecting):
        error.hint.map { "\($0), or build from the cache with --offline" }
      default: error.hint
      }
    case .missingVariable: "set it in the environment"
    case .notCached, .lockedNotCached: "build once without --offline"
    case .webPage:
      "check the address, and whether it wants a login; if the page is the data, declare its format"
    case .pageLoop: "check the links that the server gives to the next page"
    case .tooManyPages:
      "check the links that the server gives to the next page; if there are so many, give the source "
        + "a \"pageLimit\" in seed.json"
    case .lockMissing, .notLocked: "build once without --locked to write it"
    case .lockMalformed: "delete it and build once without --locked"
    case .lockDiffers: "build without --locked if the new content is wanted"
    case .cache(let error): error.hint ?? "name another directory in SEED_CACHE_DIR"
    case .unwritable(let error): error.hint
    }
  }

  private static func text(_ page: FetchLock.Page) -> String {
    "\(page.sha256) (\(page.byteCount) bytes)"
  }
}
