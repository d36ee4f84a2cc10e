/// The paths by which rules name records.
struct RulePaths {
  private let staged: StagedInput
  private var counts: [Key: Int] = [:]

  private struct Key: Hashable {
    var document: Int
    var path: String
  }

  init(_ staged: StagedInput) {
    self.staged = staged
    for place in staged.facts.places.indices { counts[key(of: place), default: 0] += 1 }
  }

  private func key(of place: Int) -> Key {
    Key(document: staged.document(of: place), path: staged.path(of: place))
  }

  /// The path of a place, if it leads there and nowhere else.
  func path(of place: Int) -> String? {
    let key = key(of: place)
    return RulePaths.isPath(key.path) && counts[key] == 1 ? key.path : nil
  }

  /// Whether a text is what a project file takes for a path: no name is empty.
  static func isPath(_ text: String) -> Bool {
    !text.split(separator: "/", omittingEmptySubsequences: false).contains(where: \.isEmpty)
  }
}
