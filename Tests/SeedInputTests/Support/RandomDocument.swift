/// A small document made at random from a seed, with the events that it must give.
///
/// The generator knows the meaning of each piece that it writes, so that no parser is needed to
/// say what is right.
struct RandomDocument {
  private(set) var source = ""
  private(set) var events: [TokenEvent] = []
  private var random: SplitMix
  private var line = 1
  private var lastByte: UInt8 = 0
  private let usesEntities: Bool

  /// A run of text that has not ended yet.
  private var run = ""

  /// One way to write something, and what it means.
  private typealias Piece = (source: String, meaning: String)

  private static let names = ["a", "b", "row", "Größe", "x-1", "日本"]
  private static let attributeNames = ["id", "t", "ключ", "data-x", "n"]
  private static let longText = String(repeating: "abcdefghij ", count: 6)

  private static let commonPieces: [Piece] = [
    ("x", "x"), ("some text", "some text"), (" ", " "), ("é", "é"), ("日本語", "日本語"), ("😀", "😀"),
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ("&#10;", "\n"), ("&#9;", "\t"), ("&#13;", "\r"), ("&#xe9;", "é"), ("&#x1F600;", "😀"),
    ("&#0065;", "A"), ("\u{7F}", "\u{7F}"), ("\u{7F}@@@@@@@@", "\u{7F}@@@@@@@@"), (">", ">"),
    ("/", "/"), ("=", "="), ("@@@@@@@@", "@@@@@@@@"), (longText, longText),
    ("\u{85}", "\u{85}"), ("\u{2028}", "\u{2028}"), ("&amp;amp;", "&amp;"),
  ]
  private static let attributePieces: [Piece] =
    commonPieces + [("\t", " "), ("\n", " "), ("\r\n", " "), ("\rx", " x"), ("]]>", "]]>")]
  private static let textPieces: [Piece] =
    commonPieces + [
      ("\t", "\t"), ("\n", "\n"), ("\r\n", "\n"), ("\rx", "\nx"), ("\"", "\""), ("'", "'"),
      ("&#32;", " "),
    ]
  private static let blanks = [" ", "\n", "\r\n", "\t", "\n\n  ", "  "]

  /// Makes a document.
  ///
  /// - Parameters:
  ///   - seed: What the document follows from.
  ///   - usesEntities: Whether it declares entities of its own and refers to them.
  init(seed: UInt64, usesEntities: Bool = false) {
    random = SplitMix(state: seed)
    self.usesEntities = usesEntities
    if chance(2) { write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>") }
    if chance(2) { write(blank()) }
    if chance(3) { write("<!-- before <the> root -->\n") }
    if usesEntities {
      write("<!DOCTYPE r [\n<!ENTITY plain \"x&#38;#38;y é\">\n<!-- ]> ' -->\n")
      write("<!ENTITY markup '<k v=\"1\">in &plain;</k>'>\n<?p ]> \"?>\n]>\n")
    } else if chance(3) {
      write("<!DOCTYPE r SYSTEM \"no'thing>.dtd\">\n")
    }
    element("r", depth: 0)
    if chance(2) { write(blank() + "<?after?>" + blank()) }
  }

  private mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }

  private mutating func choose<Element>(_ elements: [Element]) -> Element {
    elements[Int(random.next() % UInt64(elements.count))]
  }

  private mutating func blank() -> String { choose(RandomDocument.blanks) }

  private mutating func write(_ text: String) {
    source += text
    for byte in text.utf8 {
      // The two of them end one line, also from one text to the next.
      if byte == 0x0D || byte == 0x0A && lastByte != 0x0D { line += 1 }
      lastByte = byte
    }
  }

  private mutating func element(_ name: String, depth: Int) {
    events.append(.start(name, line: line))
    write("<" + name)
    attributes()
    if chance(4) {
      write(chance(2) ? "/>" : " />")
      events.append(.end)
      return
    }
    write(chance(4) ? blank() + ">" : ">")
    let childCount = Int(random.next() % (depth == 0 ? 12 : depth < 4 ? 6 : 2))
    var hasChild = false
    for _ in 0..<childCount { node(depth: depth, hasChild: &hasChild) }
    endRun(isLeaf: !hasChild)
    write("</\(name)" + (chance(5) ? blank() : "") + ">")
    events.append(.end)
  }

  private mutating func attributes() {
    for name in RandomDocument.attributeNames where chance(3) {
      write(choose([" ", "\n", "\r\n\t", "  "]) + name + choose(["=", " = ", "=\n", " ="]))
      let quote = choose(["\"", "'"])
      var value: Piece = ("", "")
      for _ in 0..<random.next() % 7 {
        let isReference = usesEntities && chance(8)
        let piece: Piece =
          isReference ? ("&plain;", "x&y é") : choose(RandomDocument.attributePieces)
        value.source += piece.source
        value.meaning += piece.meaning
      }
      if chance(5) {
        let other = quote == "'" ? "\"" : "'"
        value.source += other
        value.meaning += other
      }
      write(quote + value.source + quote)
      events.append(.field(name, value.meaning))
    }
  }

  private mutating func node(depth: Int, hasChild: inout Bool) {
    switch random.next() % 12 {
    case 0...3:
      endRun(isLeaf: false)
      hasChild = true
      element(choose(RandomDocument.names), depth: depth + 1)
    case 4, 5:
      write(choose(["<!-- - -->", "<!---->", "<!-- <a x='1'> &no; ]]>\n -->", "<?p a > b?>"]))
    case 6:
      let inside = choose(["", " ", "<b>&amp;</b>", "]] >", "\u{7F}@@@@@@@@", "\r\n", "]", "é>"])
      write("<![CDATA[" + inside + "]]>")
      run += inside.replacingLineBreaks
    case 7, 8:
      let text = blank()
      write(text)
      run += text.replacingLineBreaks
    case 9 where usesEntities: reference(hasChild: &hasChild)
    default:
      let piece = choose(RandomDocument.textPieces)
      write(piece.source)
      run += piece.meaning
    }
  }

  private mutating func reference(hasChild: inout Bool) {
    if chance(2) {
      write("&plain;")
      run += "x&y é"
      return
    }
    endRun(isLeaf: false)
    hasChild = true
    write("&markup;")
    events += [
      .start("k", line: line), .field("v", "1"), .text("in x&y é", isBlank: false), .end,
    ]
  }

  /// Blanks between elements are formatting; those of a leaf are its text.
  private mutating func endRun(isLeaf: Bool) {
    defer { run = "" }
    let isBlank = run.utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard !run.isEmpty, isLeaf || !isBlank else { return }
    events.append(.text(run, isBlank: isBlank))
  }
}

extension String {
  /// The text with the line breaks that XML's own rules make of it (section 2.11).
  fileprivate var replacingLineBreaks: String {
    var result = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in unicodeScalars {
      if scalar == "\r" || !(scalar == "\n" && wasReturn) {
        result.append(scalar == "\r" ? "\n" : scalar)
      }
      wasReturn = scalar == "\r"
    }
    return String(result)
  }
}

/// A small generator of numbers that look random and are the same on every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
