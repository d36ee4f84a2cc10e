internal import SeedBuilder
internal import SeedModel

/// Collects what of the inputs does not fit into the model, with where it stands as far as that is
/// known while an input is being read; the rest is looked up afterwards.
final class RowMisfits {
  /// What object something is about.
  enum Subject {
    /// One that is open while the inputs are read, the outermost having the number 0.
    case open(Int)
    /// The element that is open at a depth, the outermost having 0, whatever it is.
    case element(Int)
    /// One that is in the store.
    case stored(ObjectSearch.Key)
  }

  /// Where a misfit stands.
  enum Place {
    /// In an input, at a value if there is one, or at the start of an element.
    case input(document: Int, line: Int, value: [UInt8]?, object: Subject? = nil)
    /// At a place of a configuration file.
    case known(SourceLocation?)
  }

  private struct Misfit {
    var message: String
    var hint: String?
    var place: Place
    var token: TokenPlace?
    /// Another object that is shown behind the hint.
    var other: Other?
  }

  /// An object that has to do with what is wrong with another one.
  struct Other {
    var key: ObjectSearch.Key
    var document: Int
    var line: Int
    fileprivate var token: TokenPlace?

    init(_ key: ObjectSearch.Key, document: Int, line: Int) {
      self.key = key
      self.document = document
      self.line = line
    }
  }

  private var misfits: [Misfit] = []
  private var kinds = MisfitKinds()
  /// Says where tokens stand, if the reading is for that.
  private let trace: TokenTrace?

  init(trace: TokenTrace? = nil) {
    self.trace = trace
  }

  /// Whether there is none.
  var isEmpty: Bool { misfits.isEmpty }

  /// Whether so many were found that no more are looked for.
  var isFull: Bool { misfits.count >= MisfitReport.mostErrors }

  /// Whether another one of a kind would be taken; one that would not is counted.
  func takes(_ kind: String) -> Bool { !isFull && kinds.takes(kind) }

  /// Adds one; of a kind only a few are kept, or the others would not be seen.
  func add(
    _ message: String, hint: String?, at place: Place, kind: String, other: Other? = nil
  ) {
    guard takes(kind) else { return }
    kinds.note(kind, number: misfits.count)
    misfits.append(
      Misfit(
        message: message, hint: hint, place: place, token: trace?.place(of: place), other: other))
  }

  /// Adds one that is said once only, whatever stands in its place.
  func addOnce(_ message: String, hint: String?, at place: Place) {
    guard !kinds.has(message) else { return }
    add(message, hint: hint, at: place, kind: message)
  }

  // MARK: Places

  /// The stored objects that some are about, each with the values of interest.
  private var stored: [ObjectSearch.Key: Set<[UInt8]>] {
    misfits.reduce(into: [:]) { result, misfit in
      if let other = misfit.other { result[other.key, default: []] = result[other.key] ?? [] }
      guard case .input(_, _, let value, .stored(let key)?) = misfit.place else { return }
      let bytes = value?.withUnsafeBufferPointer { Array($0.trimmed) }
      result[key, default: []].formUnion(bytes.map { [$0] } ?? [])
    }
  }

  /// Learns the places from another reading of the inputs, which meets the same misfits.
  private func learnPlaces(_ load: RowLoad, _ learnt: LearntFacts) {
    guard misfits.contains(where: { if case .input = $0.place { true } else { false } }) else {
      return
    }
    let trace = TokenTrace(stored)
    var pass = RowPass(load: load, learnt: learnt, trace: trace)
    // Lines are known without it, and an error is worth saying all the same.
    guard (try? pass.run { _, _ in }) == true else { return }
    for (number, traced) in pass.misfits.misfits.enumerated()
    where number < misfits.count && misfits[number].message == traced.message {
      misfits[number].token = traced.token
    }
    for number in misfits.indices {
      guard case .input(_, _, let value, .stored(let key)?) = misfits[number].place else {
        continue
      }
      misfits[number].token = trace.place(of: key, value: value)
      guard let other = misfits[number].other else { continue }
      misfits[number].other?.token = trace.place(of: other.key, value: nil)
    }
  }

  /// - Throws: ``BuildError`` with all that was collected, if that is anything.
  func check(_ load: RowLoad, _ learnt: LearntFacts) throws {
    guard !misfits.isEmpty else { return }
    learnPlaces(load, learnt)
    let places = load.documents.enumerated().map { number, document in
      document.places(
        of: misfits.flatMap { misfit in
          var tokens: [TokenPlace?] = []
          if case .input(number, _, _, _) = misfit.place { tokens.append(misfit.token) }
          if misfit.other?.document == number { tokens.append(misfit.other?.token) }
          return tokens.compactMap(\.self)
        })
    }
    func hint(_ misfit: Misfit) -> String? {
      guard let hint = misfit.hint, let other = misfit.other else { return misfit.hint }
      let place =
        other.token.flatMap { places[other.document][$0] }
        ?? load.documents[other.document].roughPlace(line: other.line)
      return "\(hint); the other is in \(place.location)"
    }
    var diagnostics = misfits.map { misfit in
      switch misfit.place {
      case .known(let location):
        return Diagnostic(.error, misfit.message, at: location, hint: misfit.hint)
      case .input(let document, let line, _, _):
        let place =
          misfit.token.flatMap { places[document][$0] }
          ?? load.documents[document].roughPlace(line: line)
        return Diagnostic(
          .error, misfit.message, at: place.location, excerpt: place.excerpt, hint: hint(misfit))
      }
    }
    diagnostics += kinds.remarks(after: diagnostics, isCutShort: isFull)
    throw BuildError(
      .input, MisfitReport.sorted(diagnostics, by: load.documents.map(\.name)))
  }
}
