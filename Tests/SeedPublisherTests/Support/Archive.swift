import Foundation
import SeedFormat

/// Files packed with gzip.
enum Archive {
  struct Damaged: Error {}

  /// The plain bytes of a file, of a known size.
  static func unpacked(_ path: String, size: Int) throws -> [UInt8] {
    let packed = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var output = [UInt8](repeating: 0, count: size + 1)
    let inflation = GzipInflation()
    let result = packed.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { inflation.inflate(input, into: $0) }
    }
    guard result.state == .ended, result.taken == packed.count, result.given == size else {
      throw Damaged()
    }
    return Array(output[..<size])
  }
}
