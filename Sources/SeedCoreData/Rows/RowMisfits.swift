internal import SeedBuilder
internal import SeedModel

/// Collects what of the inputs does not fit into the model, with where it stands as far as that is
/// known while an input is being read; the rest is looked up afterwards.
final class RowMisfits {
  /// Where a misfit stands.
  enum Place {
    /// In an input, on the line of an element, where a text may be looked for.
    case input(document: Int, line: Int, value: [UInt8]?)
    /// At a place of a configuration file.
    case known(SourceLocation?)
  }

  private struct Misfit {
    var message: String
    var hint: String?
    var place: Place
  }

  private var misfits: [Misfit] = []
  private var countOfKind: [String: Int] = [:]

  /// Whether there is none.
  var isEmpty: Bool { misfits.isEmpty }

  /// Whether so many were found that no more are looked for.
  var isFull: Bool { misfits.count >= MisfitReport.mostErrors }

  /// Whether another one of a kind would be taken.
  func takes(_ kind: String) -> Bool {
    !isFull && countOfKind[kind, default: 0] < MisfitReport.mostOfOneKind
  }

  /// Adds one; of a kind only a few are kept, or the others would not be seen.
  func add(_ message: String, hint: String?, at place: Place, kind: String) {
    guard takes(kind) else { return }
    countOfKind[kind, default: 0] += 1
    misfits.append(Misfit(message: message, hint: hint, place: place))
  }

  /// Adds one that is said once only, whatever stands in its place.
  func addOnce(_ message: String, hint: String?, at place: Place) {
    guard countOfKind[message] == nil else { return }
    add(message, hint: hint, at: place, kind: message)
  }

  /// - Throws: ``BuildError`` with all that was collected, if that is anything.
  func check(_ documents: [InputDocument]) throws {
    guard !misfits.isEmpty else { return }
    throw BuildError(
      .input,
      misfits.map { misfit in
        switch misfit.place {
        case .known(let location):
          return Diagnostic(.error, misfit.message, at: location, hint: misfit.hint)
        case .input(let document, let line, let value):
          let place = PlaceFinder.place(of: value, line: line, in: documents[document])
          return Diagnostic(
            .error, misfit.message, at: place.location, excerpt: place.excerpt, hint: misfit.hint)
        }
      })
  }
}
