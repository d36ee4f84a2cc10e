package import SeedModel

/// Collects what does not fit, so that one report has all of it.
package struct MisfitReport {
  private(set) var diagnostics: [Diagnostic] = []
  /// What of the inputs they are about, by their numbers, until the places are wanted.
  private var spots: [Int: ValueSpot] = [:]
  /// What is to be said of values that fit.
  private(set) var remarks: [Diagnostic] = []
  private var countOfKey: [String: Int] = [:]

  /// More errors than these are not collected.
  package static let mostErrors = 20
  /// Of one kind so many are enough, or the others would not be seen.
  package static let mostOfOneKind = 5

  /// Whether the report is full.
  var isFull: Bool { diagnostics.count >= MisfitReport.mostErrors }

  /// Whether another error of a kind would be taken.
  func takes(_ kind: String) -> Bool {
    !isFull && countOfKey[kind, default: 0] < MisfitReport.mostOfOneKind
  }

  /// Adds an error of a kind; its place is that of what it is about, if it has none yet.
  mutating func add(_ diagnostic: Diagnostic, about spot: ValueSpot? = nil, kind: String) {
    guard takes(kind) else { return }
    countOfKey[kind, default: 0] += 1
    spots[diagnostics.count] = spot
    diagnostics.append(diagnostic)
  }

  /// Adds an error that stands for itself.
  mutating func add(
    _ message: String, at location: SourceLocation?, excerpt: SourceExcerpt? = nil,
    hint: String? = nil
  ) {
    add(Diagnostic(.error, message, at: location, excerpt: excerpt, hint: hint), kind: message)
  }

  /// Adds something that is no error, once.
  mutating func remark(_ remark: Diagnostic) {
    if !remarks.contains(remark) { remarks.append(remark) }
  }

  /// Fails with what was collected, in the order of the inputs: what is wrong elsewhere comes first,
  /// such as in a project file, since values may be wrong because of it.
  ///
  /// - Throws: ``BuildError`` with all that was collected, if that is anything.
  func check(in staged: StagedInput? = nil) throws {
    guard !diagnostics.isEmpty else { return }
    var placed = diagnostics
    if let staged {
      let places = PlaceFinder(staged: staged).places(of: spots.values)
      for (number, spot) in spots {
        guard let place = places[spot] else { continue }
        placed[number].location = place.location
        placed[number].excerpt = place.excerpt
      }
    }
    throw BuildError(
      .input, MisfitReport.sorted(placed, by: staged?.documents.map(\.name) ?? []))
  }

  /// The same errors by their places in some files; those at one place stay in their order.
  package static func sorted(_ diagnostics: [Diagnostic], by files: [String]) -> [Diagnostic] {
    func key(_ index: Int) -> [Int] {
      guard let location = diagnostics[index].location,
        let file = files.firstIndex(of: location.file)
      else { return [-1, index] }
      return [file, location.line, location.column, index]
    }
    let keys = diagnostics.indices.map(key)
    return diagnostics.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
      .map { diagnostics[$0] }
  }
}
