internal import SeedModel

/// Goes over batches and adds to the facts what they show, without loading anything.
struct FactObserver {
  fileprivate struct Element {
    var place: Int
    var serial: Int
    var line: UInt32
    var hasText = false
    var hasChild = false
    /// The only run of text so far; it lies in the batch at hand.
    var run: UnsafePointer<UInt8>?
    var runCount = 0
    /// The text, when it has several runs or began in another batch.
    var joined: [UInt8] = []
    /// Whether some of the text is not known, so that the rest says nothing.
    var isPartial = false
  }

  private var elements: [Element] = []
  private var serial = 0
  /// For each place, the parent element below which it was met last.
  ///
  /// Inside recursive elements it may forget one; a repetition that it misses is noticed when the
  /// place's elements are loaded as a column or as transparent.
  private var lastParent: [Int] = []

  init() {}

  /// An observer that starts inside the given open elements.
  init(continuing open: PinnedList<RowAssembler.OpenElement>) {
    for index in 0..<open.count {
      let element = open.base[index]
      serial += 1
      elements.append(
        Element(
          place: element.place, serial: serial, line: element.line, hasText: element.hasText,
          hasChild: element.hasChild, isPartial: element.hasText))
    }
  }

  mutating func observe(
    _ batch: TokenBatch, into facts: inout DocumentFacts, placeBase: Int, fieldBase: Int
  ) {
    while lastParent.count < facts.places.count { lastParent.append(-1) }
    var bytes = UnsafePointer(batch.bytes)
    var index = 0
    while index < batch.wordCount {
      let word = batch.words[index]
      switch word >> 30 {
      case 0:
        start(place: Int(word) + placeBase, line: batch.words[index + 1], &facts)
        index += 2
      case 1:
        let count = Int(batch.words[index + 1])
        facts.observeSample(Int(word & 0x3FFF_FFFF) + fieldBase, bytes, count)
        bytes += count
        index += 2
      case 2:
        let count = Int(batch.words[index + 1])
        text(bytes, count: count, isBlank: word & 1 != 0, &facts)
        bytes += count
        index += 2
      default:
        end(&facts)
        index += 1
      }
    }
    for index in elements.indices { elements[index].keepRun() }
  }

  private mutating func start(place: Int, line: UInt32, _ facts: inout DocumentFacts) {
    serial += 1
    if let parent = elements.last {
      if lastParent[place] == parent.serial { facts.noteRepetition(of: place) }
      lastParent[place] = parent.serial
      if parent.hasText { facts.noteMixedContent(of: parent.place, line: Int(parent.line)) }
      elements[elements.count - 1].hasChild = true
    }
    elements.append(Element(place: place, serial: serial, line: line))
  }

  private mutating func text(
    _ bytes: UnsafePointer<UInt8>, count: Int, isBlank: Bool, _ facts: inout DocumentFacts
  ) {
    guard let element = elements.last else { return }
    if isBlank {
      // The only text of an element without children: there are no runs to join.
      if let field = facts.places[element.place].text { facts.observe(field, bytes, count) }
      return
    }
    facts.noteText(of: element.place)
    if element.hasChild { facts.noteMixedContent(of: element.place, line: Int(element.line)) }
    elements[elements.count - 1].addRun(bytes, count)
  }

  private mutating func end(_ facts: inout DocumentFacts) {
    let element = elements.removeLast()
    guard let field = facts.places[element.place].text else { return }
    if let run = element.run {
      facts.observeSample(field, run, element.runCount)
    } else if !element.joined.isEmpty {
      element.joined.withUnsafeBufferPointer { text in
        if let base = text.baseAddress { facts.observeSample(field, base, text.count) }
      }
    }
  }
}

extension FactObserver.Element {
  /// Adds a run of text: what the text is shows only when all its runs are together.
  fileprivate mutating func addRun(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    hasText = true
    guard !isPartial else { return }
    if run == nil, joined.isEmpty {
      run = bytes
      runCount = count
      return
    }
    keepRun()
    joined.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    // No record may be so long; whoever loads it says so.
    guard joined.count > InputLimits.rowBytes else { return }
    joined = []
    isPartial = true
  }

  /// Copies the run, since its batch goes or another run follows.
  fileprivate mutating func keepRun() {
    guard let bytes = run else { return }
    joined.append(contentsOf: UnsafeBufferPointer(start: bytes, count: runCount))
    run = nil
  }
}
