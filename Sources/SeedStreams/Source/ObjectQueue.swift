internal import SeedTransport

/// Objects that are needed one after the other: while one is fetched or applied, the next is on its
/// way.
///
/// What is fetched ahead is only a part file with a chance to be whole: digests, repetitions and
/// errors are the business of ``ObjectDownload``, which goes on from there. So there is one place
/// that judges, and the order of everything that counts is that of the list. Used by one thread.
internal final class ObjectQueue {
  /// An object, as a stream names it.
  internal struct Item: Sendable, Hashable {
    internal var url: HTTPURL
    internal var sha256: String
    internal var size: Int64
    internal var plainSize: Int64
  }

  private let items: [Item]
  private let context: StreamContext
  private var index = 0
  /// The objects that are on their way, by their places in the list.
  private var ahead: [Int: ObjectPrefetch] = [:]

  /// A queue of objects.
  internal init(_ items: [Item], in context: StreamContext) {
    self.items = items
    self.context = context
  }

  /// Whether all objects were asked for.
  internal var isAtEnd: Bool { index == items.count }

  /// Fetches the next object.
  ///
  /// - Returns: The path of the file, whose digest is right.
  /// - Throws: As ``ObjectDownload/run()`` does.
  /// - Precondition: Not called at the end.
  internal func next() throws -> String {
    precondition(!isAtEnd, "there is no further object")
    let item = items[index]
    startAhead()
    if let prefetch = ahead.removeValue(forKey: index) { prefetch.join(in: context) }
    index += 1
    return try ObjectDownload(
      item.url, sha256: item.sha256, size: item.size, plainSize: item.plainSize, in: context
    ).run()
  }

  /// Has the objects behind the one that is due fetched beside it.
  private func startAhead() {
    let last = min(index + context.parallelDownloads, items.count)
    for number in index + 1..<max(last, index + 1) where ahead[number] == nil {
      guard let prefetch = ObjectPrefetch.start(items[number], in: context) else { return }
      ahead[number] = prefetch
    }
  }
}
