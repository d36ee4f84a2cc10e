import Foundation

/// Text in encodings other than UTF-8.
enum Encoded {
  /// The bytes of a text in an encoding of a name, without a mark.
  static func bytes(_ text: String, _ name: String) -> [UInt8] {
    switch name.lowercased() {
    case "utf-16le": data(text, .utf16LittleEndian)
    case "utf-16be": data(text, .utf16BigEndian)
    case "utf-32le": data(text, .utf32LittleEndian)
    case "utf-32be": data(text, .utf32BigEndian)
    case "iso-8859-1": data(text, .isoLatin1)
    case "windows-1252": data(text, .windowsCP1252)
    default: Array(text.utf8)
    }
  }

  private static func data(_ text: String, _ encoding: String.Encoding) -> [UInt8] {
    text.data(using: encoding).map { [UInt8]($0) } ?? []
  }
}
