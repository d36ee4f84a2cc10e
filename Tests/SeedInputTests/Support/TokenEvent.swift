import SeedModel

/// One token with its names and values, as a test wants to see it.
enum TokenEvent: Equatable, CustomStringConvertible {
  case start(String, line: Int)
  case field(String, String)
  case text(String, isBlank: Bool)
  case end
  /// A member with nothing in it, where the settings ask for such.
  case empty(String, isArray: Bool)

  var description: String {
    switch self {
    case .start(let name, let line): "start \(name) in line \(line)"
    case .field(let name, let value): "\(name) = \(value.debugDescription)"
    case .text(let text, let isBlank): (isBlank ? "blank " : "text ") + text.debugDescription
    case .end: "end"
    case .empty(let name, let isArray): "empty \(isArray ? "array" : "object") \(name)"
    }
  }
}

extension TokenEvent {
  /// A document in a form like XML, with every value as a Swift literal:
  /// `<a x="1">"text"<b/></a>`.
  static func outline(_ events: [TokenEvent]) -> String {
    var text = ""
    var open: [String] = []
    var isTagOpen = false
    func closeTag() {
      if isTagOpen { text += ">" }
      isTagOpen = false
    }
    for event in events {
      switch event {
      case .start(let name, _):
        closeTag()
        text += "<\(name)"
        open.append(name)
        isTagOpen = true
      case .field(let name, let value): text += " \(name)=\(value.debugDescription)"
      case .text(let value, _):
        closeTag()
        text += value.debugDescription
      case .end:
        let name = open.removeLast()
        text += isTagOpen ? "/>" : "</\(name)>"
        isTagOpen = false
      case .empty(let name, let isArray):
        closeTag()
        text += isArray ? "<\(name)[]>" : "<\(name){}>"
      }
    }
    return text
  }
}

/// Turns batches back into events, with what is known of places and fields from batches before.
struct TokenDecoder {
  private(set) var events: [TokenEvent] = []
  private(set) var definitions: [TokenDefinition] = []
  /// The forms of the elements, in the order of their ends.
  private(set) var forms: [ElementForm?] = []
  private var placeNames: [String] = []
  private var fieldNames: [String] = []
  private(set) var batchCount = 0
  private(set) var inputBytesRead: Int64 = 0

  mutating func decode(_ batch: TokenBatch) {
    batchCount += 1
    inputBytesRead = batch.inputBytesRead
    define(batch.definitions)
    var word = 0
    var byte = 0
    func value(_ count: Int) -> String {
      let text = UnsafeBufferPointer(start: batch.bytes + byte, count: count)
      byte += count
      return String(decoding: text, as: UTF8.self)
    }
    while word < batch.wordCount {
      let number = Int(batch.words[word] & 0x3FFF_FFFF)
      let second = word + 1 < batch.wordCount ? Int(batch.words[word + 1]) : 0
      switch batch.words[word] >> 30 {
      case 0: events.append(.start(placeNames[number], line: second))
      case 1: events.append(.field(fieldNames[number], value(second)))
      case 2 where number >= TokenBatch.emptyArrayMark:
        events.append(
          .empty(placeNames[second], isArray: number == TokenBatch.emptyArrayMark))
      case 2: events.append(.text(value(second), isBlank: number == 1))
      default:
        events.append(.end)
        forms.append(ElementForm(rawValue: UInt32(number)))
        word -= 1
      }
      word += 2
    }
  }

  private mutating func define(_ new: [TokenDefinition]) {
    for definition in new {
      switch definition {
      case .place(let name, _): placeNames.append(TokenDecoder.text(of: name))
      case .attribute(let name, _): fieldNames.append(TokenDecoder.text(of: name))
      case .text: fieldNames.append("text")
      case .recursion, .array, .real, .data, .mixedData, .bare: break
      }
    }
    definitions += new
  }

  /// `{namespace}local`, or the name as it is written when it has no namespace.
  private static func text(of name: QualifiedName) -> String {
    if name.isMadeUp { return name.local }
    if let namespace = name.namespace { return "{\(namespace)}\(name.local)" }
    return name.prefix.map { "\($0):\(name.local)" } ?? name.local
  }
}
