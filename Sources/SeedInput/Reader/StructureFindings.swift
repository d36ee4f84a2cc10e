/// What readings of one input have found out about its structure that a reader has to know before
/// it gives out the first token, such as that an object is a keyed collection.
///
/// A reader that finds something new notes it here and throws ``StructureRevised``; the input is
/// then read again from its start. Findings are only ever added, so this comes to an end.
///
/// Findings belong to paths of names, whose steps are numbered as they are met.
package final class StructureFindings: @unchecked Sendable {
  // Unchecked: the reading thread has it while it runs, and nobody else then.

  /// Whether something was noted that the reading at hand did not know from its start.
  package private(set) var isRevised = false
  private var revisionCount = 0
  /// The names of all readings.
  var names = ObjectNameTable()
  private var numbers: [Step: Int32] = [:]
  private var findings: [PathFindings] = [PathFindings()]

  /// Objects may turn out to be collections, and in them others; an input that goes on so for more
  /// readings than these is read as if it had no collections.
  private static let mostRevisions = 20

  /// Findings of an input of which nothing is known yet.
  package init() {}

  deinit {
    names.deallocate()
  }

  /// Begins another reading.
  package func startReading() {
    if isRevised { revisionCount += 1 }
    isRevised = false
  }

  /// Whether objects may be taken for keyed collections.
  var allowsCollections: Bool { revisionCount < StructureFindings.mostRevisions }
}

/// One step on the way to a value.
enum PathStep: UInt8 {
  /// To the member of a name.
  case member
  /// To the rows of the keyed collection that a member is.
  case memberRows
  /// To the items of an array.
  case items
  /// To the rows of the keyed collection that an array's item is.
  case itemRows
}

/// What was found out about the values at one path.
struct PathFindings {
  /// Some value is an object or an array, so that a null is none of a column.
  var isStructured = false
  /// The same for the items of an array.
  var hasStructuredItems = false
  /// What the object is that a member of this path has as its value.
  var member = CollectionState.candidate
  /// What the object is that is an element at this path: an array's item, a collection's row.
  var item = CollectionState.candidate
  /// Whether a reading took such objects for collections at first, and saw only later that they are
  /// none: no further one is given up for them before its end.
  var memberHasMisled = false
  var itemHasMisled = false
}

/// Whether objects at one path are keyed collections.
enum CollectionState: UInt8 {
  /// All members so far are objects, but there are too few to say.
  case candidate
  /// They are, until a member contradicts.
  case keyed
  /// They are not.
  case ordinary
}

extension StructureFindings {
  fileprivate struct Step: Hashable {
    var path: Int32
    var step: PathStep
    var name: Int32
  }

  /// The number of the path to the document's outermost value.
  static var rootPath: Int32 { 0 }

  /// The number of a path that goes on from another.
  func path(_ path: Int32, _ step: PathStep, _ name: Int32 = -1) -> Int32 {
    let step = Step(path: path, step: step, name: name)
    if let known = numbers[step] { return known }
    let number = Int32(findings.count)
    numbers[step] = number
    findings.append(PathFindings())
    return number
  }

  subscript(path: Int32) -> PathFindings {
    get { findings[Int(path)] }
    set {
      findings[Int(path)] = newValue
      isRevised = true
    }
  }
}

/// Says that an input has to be read again from its start, and all that was delivered forgotten.
package struct StructureRevised: Error {
  /// The only one there is.
  package init() {}
}
