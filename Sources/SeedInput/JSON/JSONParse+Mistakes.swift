internal import SeedModel

/// What other languages write, and what JSON has instead.
extension JSONParse {
  /// What other languages write, and what JSON has instead.
  func commonMistake(at p: UnsafePointer<UInt8>) -> InputError? {
    if let mistake = commentMistake(at: p) ?? quoteMistake(at: p) { return mistake }
    let start = p.pointee == UInt8(ascii: "-") || p.pointee == UInt8(ascii: "+") ? p + 1 : p
    switch word(at: start) {
    case "NaN", "nan", "Infinity", "inf", "Inf":
      return error(
        "JSON has no \(text(from: p, to: start))\(word(at: start) ?? "")",
        hint: "write null where there is no number", at: p)
    case "True", "False", "None", "TRUE", "FALSE", "NULL", "Null", "undefined", "nil":
      return error(
        "\"\(word(at: start) ?? "")\" is no JSON value",
        hint: "write true, false or null, in lower case", at: p)
    default: break
    }
    if p.pointee == UInt8(ascii: "+") {
      return error("a number begins with \"+\"", hint: "leave the sign out", at: p)
    }
    if start.pointee == UInt8(ascii: ".") {
      return error("a number begins with its point", hint: "write 0.5", at: p)
    }
    return nil
  }

  func commentMistake(at p: UnsafePointer<UInt8>) -> InputError? {
    let isSlash = p.pointee == UInt8(ascii: "/")
    let isComment = isSlash && (p[1] == UInt8(ascii: "/") || p[1] == UInt8(ascii: "*"))
    guard isComment || p.pointee == UInt8(ascii: "#") else { return nil }
    return error("JSON has no comments", hint: "take them out", at: p)
  }

  func quoteMistake(at p: UnsafePointer<UInt8>) -> InputError? {
    // U+2018 to U+201F are quotes.
    let isTypographic = p.pointee == 0xE2 && p[1] == 0x80 && p[2] & 0xF8 == 0x98
    guard isTypographic || p.pointee == UInt8(ascii: "'") || p.pointee == UInt8(ascii: "`") else {
      return nil
    }
    return error("\(shown(p)) is no quote of JSON", hint: "use the plain double quote", at: p)
  }
}
