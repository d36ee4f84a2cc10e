/// Runs a regular expression on all its ways at once: each character of a text is looked at once.
final class PatternAutomaton {
  private enum Step {
    case literal(Unicode.Scalar)
    /// A character of a set, by number.
    case set(Int)
    /// Goes on at both places.
    case fork(Int, Int)
    case end
  }

  private var steps: [Step] = []
  private var sets: [CharacterSet] = []
  private var numbersOfSets: [String: Int] = [:]
  private var isTooLarge = false

  /// Larger ones, such as those of nested counts, are left to the other engine.
  private static let mostSteps = 5_000
  /// A value gets so many looks at a step, which are the same on every machine, as time is not.
  static let mostLooks = 20_000_000
  private let mostLooks: Int

  /// Nil when it would be too large, or Swift does not know one of its sets alone.
  init?(_ tree: PatternTree, mostLooks: Int = mostLooks) {
    self.mostLooks = mostLooks
    add(tree)
    steps.append(.end)
    guard !isTooLarge, sets.allSatisfy(\.isKnown) else { return nil }
  }

  // MARK: Building

  /// Appends the steps of a tree, which go on behind them.
  private func add(_ tree: PatternTree) {
    guard steps.count < Self.mostSteps else {
      isTooLarge = true
      return
    }
    switch tree {
    case .literal(let scalar): steps.append(.literal(scalar))
    case .set(let text): steps.append(.set(number(of: text)))
    case .sequence(let items): for item in items { add(item) }
    case .choice(let branches): add(branches[...])
    case .repetition(let item, let least, let most):
      for _ in 0..<least where !isTooLarge { add(item) }
      guard let most else { return addLoop(item) }
      var forks: [Int] = []
      for _ in least..<most where !isTooLarge {
        forks.append(steps.count)
        steps.append(.end)
        add(item)
      }
      for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
    }
  }

  private func add(_ branches: ArraySlice<PatternTree>) {
    var ends: [Int] = []
    for (index, branch) in branches.enumerated() {
      let isLast = index == branches.count - 1
      let fork = steps.count
      if !isLast { steps.append(.end) }
      add(branch)
      guard !isLast else { break }
      ends.append(steps.count)
      steps.append(.end)
      steps[fork] = .fork(fork + 1, steps.count)
    }
    for end in ends { steps[end] = .fork(steps.count, steps.count) }
  }

  private func addLoop(_ item: PatternTree) {
    let fork = steps.count
    steps.append(.end)
    add(item)
    steps.append(.fork(fork, fork))
    steps[fork] = .fork(fork + 1, steps.count)
  }

  private func number(of text: String) -> Int {
    if let known = numbersOfSets[text] { return known }
    numbersOfSets[text] = sets.count
    sets.append(CharacterSet(text))
    return sets.count - 1
  }

  // MARK: Running

  func compare(_ text: String) -> ModelPattern.Outcome {
    var current = Places(count: steps.count)
    var next = Places(count: steps.count)
    var looks = 0
    enter(0, &current)
    for scalar in text.unicodeScalars {
      next.removeAll()
      for place in current.list {
        switch steps[place] {
        case .literal(let wanted): if wanted == scalar { enter(place + 1, &next) }
        case .set(let number): if sets[number].contains(scalar) { enter(place + 1, &next) }
        case .fork, .end: break
        }
      }
      looks += current.list.count + next.list.count
      guard looks < mostLooks else { return .takesTooLong }
      guard !next.list.isEmpty else { return .differs }
      swap(&current, &next)
    }
    return current.contains(steps.count - 1) ? .matches : .differs
  }

  /// Adds a place with all to which it leads without a character.
  private func enter(_ place: Int, _ places: inout Places) {
    var waiting = [place]
    while let place = waiting.popLast() {
      guard places.insert(place) else { continue }
      if case .fork(let one, let other) = steps[place] {
        waiting.append(other)
        waiting.append(one)
      }
    }
  }

  /// A set of places, in the order in which they came.
  private struct Places {
    private(set) var list: [Int] = []
    private var isThere: [Bool]

    init(count: Int) {
      isThere = Array(repeating: false, count: count)
    }

    func contains(_ place: Int) -> Bool { isThere[place] }

    mutating func insert(_ place: Int) -> Bool {
      guard !isThere[place] else { return false }
      isThere[place] = true
      list.append(place)
      return true
    }

    mutating func removeAll() {
      for place in list { isThere[place] = false }
      list.removeAll(keepingCapacity: true)
    }
  }

  /// The characters that a piece of a pattern means; Swift's engine is asked once for each.
  private final class CharacterSet {
    private let expression: Regex<AnyRegexOutput>?
    private var known: [Unicode.Scalar: Bool] = [:]

    init(_ text: String) {
      expression = ModelPattern.expression(text)
    }

    var isKnown: Bool { expression != nil }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      if let answer = known[scalar] { return answer }
      var text = ""
      text.unicodeScalars.append(scalar)
      let answer = (try? expression?.wholeMatch(in: text)) ?? nil != nil
      known[scalar] = answer
      return answer
    }
  }
}
