package import SeedModel

/// Collects what does not fit, so that one report has all of it.
package struct MisfitReport {
  private(set) var diagnostics: [Diagnostic] = []
  /// What of the inputs they are about, by their numbers, until the places are wanted.
  private var spots: [Int: ValueSpot] = [:]
  /// What is to be said of values that fit.
  private(set) var remarks: [Diagnostic] = []
  private var kinds = MisfitKinds()
  /// Other records that errors speak of, and how, by the errors' numbers.
  private var mentions: [Int: Mention] = [:]

  /// Another record than the one that an error is about.
  struct Mention {
    var spot: ValueSpot
    /// Where the error's message names its place.
    var placeholder: String
  }

  /// More errors than these are not collected.
  package static let mostErrors = 20
  /// Of one kind so many are enough, or the others would not be seen.
  package static let mostOfOneKind = 5

  /// Whether the report is full.
  var isFull: Bool { diagnostics.count >= MisfitReport.mostErrors }

  /// Whether another error of a kind would be taken; one that would not is counted.
  mutating func takes(_ kind: String) -> Bool { !isFull && kinds.takes(kind) }

  /// Adds an error of a kind; its place is that of what it is about, if it has none yet.
  mutating func add(
    _ diagnostic: Diagnostic, about spot: ValueSpot? = nil, mentioning mention: Mention? = nil,
    kind: String
  ) {
    guard takes(kind) else { return }
    kinds.note(kind, number: diagnostics.count)
    spots[diagnostics.count] = spot
    mentions[diagnostics.count] = mention
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
      let places = PlaceFinder(staged: staged)
        .places(of: Array(spots.values) + mentions.values.map(\.spot))
      for (number, spot) in spots {
        guard let place = places[spot] else { continue }
        placed[number].location = place.location
        placed[number].excerpt = place.excerpt
      }
      for (number, mention) in mentions {
        guard let place = places[mention.spot] else { continue }
        placed[number].message = placed[number].message.replacing(
          mention.placeholder, with: MisfitReport.text(of: place.location))
      }
    }
    placed += kinds.remarks(after: placed, isCutShort: isFull)
    throw BuildError(
      .input,
      MisfitReport.once(MisfitReport.sorted(placed, by: staged?.documents.map(\.name) ?? [])))
  }

  private static func text(of location: SourceLocation) -> String {
    if location.line <= 0 { return location.file }
    let line = "\(location.file):\(location.line)"
    return location.column > 0 ? "\(line):\(location.column)" : line
  }

  /// The same errors, each once: a value of a record around others is met with each of them.
  private static func once(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return diagnostics.filter { $0.location == nil || seen.insert($0).inserted }
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
