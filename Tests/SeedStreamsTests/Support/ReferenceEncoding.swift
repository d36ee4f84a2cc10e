import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite

/// The format of segments, written a second time from its description, so that a fault of the
/// product's own writer cannot hide one of its reader.
enum ReferenceEncoding {
  static func value(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): String(number)
    case .real(let number):
      number.isInfinite ? "{\"r\":\"\(number < 0 ? "-" : "")inf\"}" : real(number)
    case .text(let text): string(text)
    case .blob(let bytes): "{\"b\":\"\(Data(bytes).base64EncodedString())\"}"
    }
  }

  private static func real(_ number: Double) -> String {
    let text = number.description
    return text.contains(".") || text.contains("e") ? text : text + ".0"
  }

  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..."\u{1F}": result += String(format: "\\u%04x", scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func list(_ names: [String]) -> String {
    "[" + names.map { string($0) }.joined(separator: ",") + "]"
  }

  static func row(_ values: [SQLiteValue]) -> String {
    "[" + values.map { value($0) }.joined(separator: ",") + "]"
  }

  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    let deflation = GzipDeflation()
    bytes.withUnsafeBytes { plain in
      deflation.deflate(plain, isLast: true) { packed += $0 }
    }
    return packed
  }

  static func sha256(_ bytes: [UInt8]) -> String {
    var digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.hexadecimal()
  }
}
