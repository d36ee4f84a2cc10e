package import SeedInput
package import SeedModel

/// Reading an input once more, for the places of what was wrong in it.
extension InputDocument {
  /// Reads the tokens of the input with their places, on this thread.
  ///
  /// - Parameter take: Takes a batch; true when it wants no more.
  /// - Throws: ``InputError``, and what the closure throws.
  package func readTokens(_ take: @escaping (TokenBatch) throws -> Bool) throws {
    var (source, settings) = try open()
    settings.givesPlaces = true
    let failure = Failure()
    _ = try DocumentReader.read(
      source, settings: settings, findings: findings, firstBatch: TokenBatch()
    ) { batch in
      var batch = batch
      do {
        if try !take(batch) {
          batch.removeAll()
          return batch
        }
      } catch {
        failure.error = error
      }
      batch.deallocate()
      return nil
    }
    if let error = failure.error { throw error }
  }

  /// Keeps an error while the reader is told to stop.
  private final class Failure {
    var error: (any Error)?
  }

  /// The lines and columns of tokens; none of those that cannot be told.
  package func places(of tokens: [TokenPlace]) -> [TokenPlace: PlaceResolution.Place] {
    guard !tokens.isEmpty else { return [:] }
    // What cannot be read again has no more than its line.
    let found = Result {
      let (source, settings) = try open()
      return try PlaceResolution.places(of: tokens, in: source, settings: settings)
    }
    return (try? found.get()) ?? [:]
  }

  /// The place of a record or a value as far as it is known without reading again.
  package func roughPlace(line: Int) -> PlaceResolution.Place {
    (SourceLocation(file: name, line: line), nil)
  }
}
