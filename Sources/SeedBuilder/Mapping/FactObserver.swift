internal import SeedModel

/// Goes over batches and adds to the facts what they show, without loading anything.
struct FactObserver {
  private struct Element {
    var place: Int
    var serial: Int
    var line: UInt32
    var hasText = false
    var hasChild = false
  }

  private var elements: [Element] = []
  private var serial = 0
  /// For each place, the parent element below which it was met last.
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
          hasChild: element.hasChild))
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
        elements.removeLast()
        index += 1
      }
    }
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
      facts.noteBlankText(of: element.place)
    } else {
      facts.noteText(of: element.place)
      elements[elements.count - 1].hasText = true
      if element.hasChild {
        facts.noteMixedContent(of: element.place, line: Int(element.line))
      }
    }
    if !isBlank, let field = facts.places[element.place].text {
      facts.observeSample(field, bytes, count)
    }
  }
}
