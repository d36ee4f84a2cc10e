internal import SeedModel

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Hands token batches from the reading thread to the loading one, and empty ones back.
///
/// A few batches lie between the two, so that neither waits for the other's every stumble.
final class BatchChannel: @unchecked Sendable {
  // Unchecked: every property but the two C values, which do not move, is used under `mutex` only.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var full: [TokenBatch] = []
  private var empty: [TokenBatch] = []
  private var isFinished = false
  private var isCancelled = false

  /// How many complete batches may wait.
  private static let depth = 4

  init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    for batch in full + empty { batch.deallocate() }
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  // MARK: The reader's side

  /// Gives a complete batch and gets an empty one; waits while the loader is behind.
  ///
  /// Gives nil when the loader wants no more.
  func deliver(_ batch: TokenBatch) -> TokenBatch? {
    locked {
      while full.count >= BatchChannel.depth, !isCancelled { pthread_cond_wait(condition, mutex) }
      if isCancelled {
        batch.deallocate()
        return nil
      }
      full.append(batch)
      pthread_cond_broadcast(condition)
      return empty.popLast() ?? TokenBatch()
    }
  }

  /// Says that no further batch comes.
  func finish() {
    locked {
      isFinished = true
      pthread_cond_broadcast(condition)
    }
  }

  // MARK: The loader's side

  /// The next complete batch; nil at the end.
  func next() -> TokenBatch? {
    locked {
      while full.isEmpty, !isFinished { pthread_cond_wait(condition, mutex) }
      guard !full.isEmpty else { return nil }
      let batch = full.removeFirst()
      pthread_cond_broadcast(condition)
      return batch
    }
  }

  /// Gives a batch back for the reader to fill again.
  func recycle(_ batch: TokenBatch) {
    var batch = batch
    batch.removeAll()
    locked {
      if empty.count < BatchChannel.depth {
        empty.append(batch)
      } else {
        batch.deallocate()
      }
    }
  }

  /// Says that no further batch is wanted; the reader's next delivery ends it.
  func cancel() {
    locked {
      isCancelled = true
      pthread_cond_broadcast(condition)
    }
  }
}
