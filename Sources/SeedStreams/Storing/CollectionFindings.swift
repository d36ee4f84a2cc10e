internal import SeedModel

/// What readings of an answer have found out that the next one has to know from its start.
///
/// Objects are ordinary until all that stand at their path look like keyed collections; then the next
/// reading takes them for such, and one row that does not fit makes them ordinary for good.
internal struct CollectionFindings {
  /// Whether the objects at a path are keyed collections.
  enum State { case candidate, keyed, ordinary }

  /// What was found out about the values at a path.
  struct Path {
    var isStructured = false
    var hasStructuredItems = false
    var member = State.candidate
    var item = State.candidate
  }

  /// What a step on the way to a value leads to.
  enum StepKind { case member, memberRows, items, itemRows }

  private struct Step: Hashable {
    var path: Int
    var kind: StepKind
    var name: QualifiedName?
  }

  private(set) var isRevised = false
  private var revisionCount = 0
  private var numbers: [Step: Int] = [:]
  private var paths = [Path()]

  /// As often as this an answer is read anew before it is read as if it had no collections.
  private static let mostRevisions = 20

  var allowsCollections: Bool { revisionCount < Self.mostRevisions }

  mutating func startReading() {
    if isRevised { revisionCount += 1 }
    isRevised = false
  }

  mutating func path(_ path: Int, _ kind: StepKind, _ name: QualifiedName? = nil) -> Int {
    let step = Step(path: path, kind: kind, name: name)
    if let known = numbers[step] { return known }
    numbers[step] = paths.count
    paths.append(Path())
    return paths.count - 1
  }

  subscript(path: Int) -> Path { paths[path] }

  mutating func revise(_ path: Int, _ change: (inout Path) -> Void) {
    change(&paths[path])
    isRevised = true
  }
}
