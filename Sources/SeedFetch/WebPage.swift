internal import SeedTransport

/// Recognises web pages, which servers like to send in place of what was asked for: a form to log
/// in, or an error with the status 200.
internal enum WebPage {
  /// How many bytes of a document are looked at.
  internal static let prefixByteCount = 1024

  /// Whether a document that starts with these bytes is HTML.
  ///
  /// What starts with an XML declaration may be XHTML, which is read as XML.
  internal static func isBeginning(_ bytes: [UInt8]) -> Bool {
    var text = bytes[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    text = text.drop { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    return beginnings.contains { beginning in
      let isSame = text.prefix(beginning.count).map(lowercased) == beginning
      // The name has to end there: `<htmlish>` is an element of somebody's own.
      return isSame && text.dropFirst(beginning.count).first.map(endsName) ?? false
    }
  }

  /// Whether a server calls its answer HTML.
  internal static func isDeclared(_ headers: HTTPHeaders) -> Bool {
    let type = headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
    return type?.lowercased() == "text/html"
  }

  private static let beginnings = ["<!doctype html", "<html"].map { Array($0.utf8) }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }
}
