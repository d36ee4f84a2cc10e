import SeedCoreData
import SeedInput
import SeedModel

/// A model written in a test, as its lines between `<model …>` and `</model>`.
enum ModelText {
  static let start =
    "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\" "
    + "userDefinedModelVersionIdentifier=\"\">\n"

  /// The text of a file `contents`; the first given line is the second of the file.
  static func contents(_ body: String) -> String { "\(start)\(body)\n</model>\n" }

  /// The model of such a file.
  static func read(_ body: String) throws -> CoreDataModel {
    try read(contents: contents(body))
  }

  /// The model of a whole file.
  static func read(contents: String) throws -> CoreDataModel {
    try ModelReader.read(try XMLElementReader.read(BytesSource(contents), name: "contents"))
  }

  /// What is wrong with a model, with the line of each.
  static func errors(_ body: String) throws -> [ModelError] {
    do {
      _ = try read(body)
      return []
    } catch let errors as ModelErrors {
      return errors.errors
    }
  }
}

/// The bytes of a text.
final class BytesSource: ByteSource {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.utf8)[...]
  }

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) -> Int {
    let piece = rest.prefix(capacity)
    for (index, byte) in piece.enumerated() { buffer[index] = byte }
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
}
