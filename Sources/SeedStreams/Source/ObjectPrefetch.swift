internal import Dispatch
internal import SeedFiles
internal import SeedTransport

/// Fetches one object into its part file on a thread of its own, as far as one request gets.
///
/// Whatever goes wrong only ends it. It ends with its owner at the latest, which waits for that.
internal final class ObjectPrefetch: Sendable {
  /// What was done on the way, for the run's own counts.
  private struct Counts {
    var requests = 0
    var bytes: Int64 = 0
    /// How far the object is there, where something was added to it.
    var reached: Int64?
    var isJoined = false
  }

  private let item: ObjectQueue.Item
  private let cancellation = HTTPCancellation()
  private let isDone = DispatchSemaphore(value: 0)
  private let counts = Lock(Counts())

  /// Starts fetching; nil when there is no room on the disk, no thread, or no credentials.
  internal static func start(
    _ item: ObjectQueue.Item, in context: StreamContext
  ) -> ObjectPrefetch? {
    let cache = context.cache
    let room = item.size.addingClamped(item.plainSize.addingClamped(item.plainSize))
    let request: HTTPRequest
    do {
      request = try context.request(for: item.url)
      guard try cache.files.availableByteCount(cache.directory) >= room else { return nil }
    } catch {
      // The run itself is going to meet it, and tells it.
      return nil
    }
    let prefetch = ObjectPrefetch(item)
    let work = Work(
      item: item, cache: cache, request: request, transport: context.transport,
      cancellation: prefetch.cancellation)
    return prefetch.start(work) ? prefetch : nil
  }

  private init(_ item: ObjectQueue.Item) {
    self.item = item
  }

  /// Starts the thread, which does not own this: the owner's end is what ends it.
  private func start(_ work: Work) -> Bool {
    let (counts, isDone) = (counts, isDone)
    let code = TransportThread.start {
      work.run(
        onRequest: { counts.withLock { $0.requests += 1 } },
        onBytes: { count, reached in
          counts.withLock {
            $0.bytes += Int64(count)
            $0.reached = reached ?? $0.reached
          }
        })
      isDone.signal()
    }
    // Nobody is going to say so otherwise.
    if code != 0 { isDone.signal() }
    return code == 0
  }

  deinit {
    guard !counts.withLock(\.isJoined) else { return }
    cancellation.cancel()
    isDone.wait()
  }

  /// Waits for the end, and adds what was done to what the run has done.
  internal func join(in context: StreamContext) {
    context.cancellation.withHandler({ [cancellation] in cancellation.cancel() }) {
      if context.cancellation.isCancelled { cancellation.cancel() }
      isDone.wait()
    }
    let counts = counts.withLock { counts in
      counts.isJoined = true
      return counts
    }
    if let reached = counts.reached {
      _ = context.attempts.noteProgress(in: item.sha256, to: reached)
    }
    context.update {
      $0.requests += counts.requests
      $0.bytes += counts.bytes
    }
  }
}

extension ObjectPrefetch {
  /// What the thread does.
  private struct Work: Sendable {
    var item: ObjectQueue.Item
    var cache: StreamCache
    var request: HTTPRequest
    var transport: any HTTPTransport
    var cancellation: HTTPCancellation

    /// The answer is not one that can be gone on from.
    private struct Unsuitable: Error {}

    func run(onRequest: () -> Void, onBytes: (_ count: Int, _ reached: Int64?) -> Void) {
      do {
        try fetch(onRequest, onBytes)
      } catch {
        // What has come stays in the part file; the run asks for the rest and judges the answer.
        return
      }
    }

    private func fetch(
      _ onRequest: () -> Void, _ onBytes: (_ count: Int, _ reached: Int64?) -> Void
    ) throws {
      try cache.prepare()
      let path = cache.path(item.sha256)
      // The lock is let go with the file, before the end is told.
      guard try cache.files.status(path) == nil,
        let part = try PartFile(at: path + ".part", files: cache.files),
        part.byteCount < item.size
      else { return }
      let offset = part.byteCount
      var request = request
      if offset > 0 { request.headers["Range"] = "bytes=\(offset)-" }
      try withoutActuallyEscaping(onRequest) { onRequest in
        try CountedTransport(base: transport, onRequest: onRequest).follow(
          request, cancellation: cancellation,
          onHead: { head in
            try check(head, offset: offset)
            if head.status == 200, offset > 0 { try part.removeAllBytes() }
          },
          onBody: { bytes in
            let fits = part.byteCount + Int64(bytes.count) <= item.size
            guard fits else {
              onBytes(bytes.count, nil)
              throw Unsuitable()
            }
            try part.append(bytes)
            onBytes(bytes.count, part.byteCount)
          })
      }
    }

    private func check(_ head: HTTPHead, offset: Int64) throws {
      guard head.contentCodings.isEmpty else { throw Unsuitable() }
      switch head.status {
      case 200:
        guard head.contentLength ?? item.size == item.size else { throw Unsuitable() }
      case 206:
        let range = head.headers["Content-Range"].flatMap { ContentRange($0) }
        guard offset > 0, range?.bytes?.lowerBound == offset, range?.total == item.size else {
          throw Unsuitable()
        }
      default: throw Unsuitable()
      }
    }
  }
}

/// Counts requests, those behind redirects among them.
///
/// `@unchecked` is safe: it lives for one call on one thread.
private struct CountedTransport: HTTPTransport, @unchecked Sendable {
  let base: any HTTPTransport
  let onRequest: () -> Void

  func perform(
    _ request: HTTPRequest, cancellation: HTTPCancellation,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    onRequest()
    try base.perform(request, cancellation: cancellation, onHead: onHead, onBody: onBody)
  }
}
