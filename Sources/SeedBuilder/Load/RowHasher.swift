internal import SeedFiles
internal import SeedInput

/// Hashes the rows of all tables on a thread of its own, so that the loading one need not.
///
/// Used by the loading thread; ``finish()`` has to come before any hash is looked at.
package final class RowHasher {
  /// The running hash of one table's rows.
  final class Hash: @unchecked Sendable {
    // Unchecked: the hashing thread has it until ``RowHasher/finish()``, the loading one then.
    fileprivate var digest = SHA256Digest()

    /// Adds a piece.
    func update(_ piece: Piece) {
      digest.update(UnsafeRawBufferPointer(start: piece.bytes, count: piece.count))
    }

    /// The digest of all that was hashed.
    func finalize() -> [UInt8] { digest.finalize() }
  }

  /// A piece of the bytes of one table's rows.
  struct Piece {
    /// The most bytes of a piece that goes to the thread.
    static let capacity = 16 << 10

    var hash: Hash?
    var bytes: UnsafeMutablePointer<UInt8>
    var count = 0

    init(capacity: Int = Piece.capacity) {
      bytes = .allocate(capacity: capacity)
    }

    func deallocate() {
      bytes.deallocate()
    }
  }

  private let channel = HandoffChannel<Piece>(
    depth: 16, mostBytes: .max, byteCount: { $0.count }, make: { Piece() },
    free: { $0.deallocate() })
  private var thread: WorkerThread<Void>?

  package init() {}

  deinit {
    channel.finish()
    // The thread only hashes what is left, and that throws nothing.
    if let thread { _ = Result { try thread.join() } }
  }

  /// Takes a full piece and gives an empty one.
  func deliver(_ piece: Piece) -> Piece {
    guard isRunning, let next = channel.deliver(piece) else {
      // Without a thread to be had, the work is done here.
      piece.hash?.update(piece)
      var empty = piece
      empty.count = 0
      return empty
    }
    return next
  }

  /// Whether the thread runs; it is started when there is a first piece for it.
  private var isRunning: Bool {
    if thread != nil { return true }
    let worker = WorkerThread { [channel] in
      while var piece = channel.next() {
        piece.hash?.update(piece)
        piece.hash = nil
        piece.count = 0
        channel.recycle(piece)
      }
    }
    guard case .success = Result(catching: { try worker.start() }) else { return false }
    thread = worker
    return true
  }

  /// Waits until all pieces are hashed; none may follow.
  package func finish() {
    channel.finish()
    if let thread { _ = Result { try thread.join() } }
    thread = nil
  }
}
