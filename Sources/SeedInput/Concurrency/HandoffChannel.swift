#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Hands full containers from one thread to another, and empty ones back.
///
/// A few full ones may wait, so that neither thread waits for the other's every stumble; then the
/// giving thread waits. The containers own plain memory, which the channel frees in the end.
package final class HandoffChannel<Container>: @unchecked Sendable {
  // Unchecked: every property but the two C values, which do not move, is used under `mutex` only,
  // and a container belongs to whoever has it.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var full: [Container] = []
  private var empty: [Container] = []
  private var isFinished = false
  private var isCancelled = false
  private var fullByteCount = 0
  /// How many containers were taken and not given back.
  private var takenCount = 0
  private let depth: Int
  private let mostBytes: Int
  private let byteCount: (Container) -> Int
  private let make: () -> Container
  private let free: (Container) -> Void

  /// Makes a channel.
  ///
  /// - Parameters:
  ///   - depth: How many full containers may wait.
  ///   - mostBytes: How many bytes may wait together: huge containers go from hand to hand.
  ///   - byteCount: How many bytes a full container holds.
  ///   - make: Makes an empty container.
  ///   - free: Frees a container's memory.
  package init(
    depth: Int, mostBytes: Int, byteCount: @escaping (Container) -> Int,
    make: @escaping () -> Container, free: @escaping (Container) -> Void
  ) {
    self.depth = depth
    self.mostBytes = mostBytes
    self.byteCount = byteCount
    self.make = make
    self.free = free
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    for container in full + empty { free(container) }
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

  // MARK: The giving side

  /// Gives a full container and gets an empty one; waits while the taking side is behind.
  ///
  /// Gives nil, and frees the container, when the taking side wants no more.
  package func deliver(_ container: Container) -> Container? {
    locked {
      while full.count >= depth, !isCancelled { pthread_cond_wait(condition, mutex) }
      if isCancelled {
        free(container)
        return nil
      }
      full.append(container)
      fullByteCount += byteCount(container)
      pthread_cond_broadcast(condition)
      while fullByteCount > mostBytes, !isCancelled { pthread_cond_wait(condition, mutex) }
      return empty.popLast() ?? make()
    }
  }

  /// Says that no further container comes.
  package func finish() {
    locked {
      isFinished = true
      pthread_cond_broadcast(condition)
    }
  }

  /// Waits until the taking side has given back all that was delivered, or wants no more.
  ///
  /// For channels of which the taking side gives back every container that it takes.
  package func drain() {
    locked {
      while !full.isEmpty || takenCount > 0, !isCancelled { pthread_cond_wait(condition, mutex) }
    }
  }

  // MARK: The taking side

  /// The next full container; nil at the end.
  package func next() -> Container? {
    locked {
      while full.isEmpty, !isFinished { pthread_cond_wait(condition, mutex) }
      guard !full.isEmpty else { return nil }
      let container = full.removeFirst()
      fullByteCount -= byteCount(container)
      takenCount += 1
      pthread_cond_broadcast(condition)
      return container
    }
  }

  /// Gives an emptied container back for the giving side to fill again.
  package func recycle(_ container: Container) {
    locked {
      if empty.count < depth {
        empty.append(container)
      } else {
        free(container)
      }
      takenCount -= 1
      if takenCount == 0, full.isEmpty { pthread_cond_broadcast(condition) }
    }
  }

  /// Says that no further container is wanted; the giving side's next delivery ends it.
  package func cancel() {
    locked {
      isCancelled = true
      pthread_cond_broadcast(condition)
    }
  }
}
