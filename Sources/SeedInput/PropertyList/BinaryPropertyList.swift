internal import SeedModel

/// The frame of a binary property list: where its objects stand.
///
/// Eight bytes `bplist00`, the objects, a table with the offset of each, and 32 bytes that say how
/// the table is laid out and which object is the outermost (CoreFoundation, `CFBinaryPList.c`).
/// Every number in it is checked before it is used.
struct BinaryPropertyList {
  let bytes: SpooledBytes
  private let name: String
  private(set) var objectCount: UInt64 = 0
  private(set) var topObject: UInt64 = 0
  /// How many bytes the number of an object takes in an array or dictionary.
  private(set) var referenceByteCount = 0
  private var offsetByteCount = 0
  /// Where the objects end and their offsets begin.
  private(set) var tableStart: Int64 = 0

  static let magic = Array("bplist".utf8)
  private static let headByteCount: Int64 = 8
  private static let trailerByteCount: Int64 = 32

  /// Reads the frame.
  ///
  /// - Throws: ``InputError`` when it cannot be right.
  init(_ bytes: SpooledBytes, name: String) throws {
    self.bytes = bytes
    self.name = name
    guard bytes.count >= BinaryPropertyList.headByteCount + BinaryPropertyList.trailerByteCount
    else { throw failure("the binary property list ends after \(bytes.count) bytes", at: nil) }
    try checkVersion()
    let trailer = bytes.count - BinaryPropertyList.trailerByteCount
    offsetByteCount = Int(try bytes.integer(at: trailer + 6, byteCount: 1))
    referenceByteCount = Int(try bytes.integer(at: trailer + 7, byteCount: 1))
    objectCount = try bytes.integer(at: trailer + 8, byteCount: 8)
    topObject = try bytes.integer(at: trailer + 16, byteCount: 8)
    let start = try bytes.integer(at: trailer + 24, byteCount: 8)
    guard (1...8).contains(offsetByteCount) else {
      throw failure("offsets of \(offsetByteCount) bytes", at: trailer + 6)
    }
    guard (1...8).contains(referenceByteCount) else {
      throw failure("references of \(referenceByteCount) bytes", at: trailer + 7)
    }
    guard topObject < objectCount else {
      throw failure("there is no object \(topObject), the outermost", at: trailer + 16)
    }
    let room = UInt64(max(0, trailer - BinaryPropertyList.headByteCount))
    guard start >= UInt64(BinaryPropertyList.headByteCount), start <= UInt64(trailer),
      objectCount <= room,
      objectCount * UInt64(offsetByteCount) <= UInt64(trailer) - start
    else {
      throw failure(
        "a table of \(objectCount) offsets does not fit behind byte \(start)", at: trailer + 24)
    }
    tableStart = Int64(start)
  }

  private func checkVersion() throws {
    let version = try bytes.integer(at: 6, byteCount: 2)
    // "0" and another character: the same in all of them.
    guard version >> 8 == UInt64(UInt8(ascii: "0")) else {
      throw InputError(
        .malformed(
          "this version of binary property lists is not read",
          hint: PropertyListReader.conversionHint),
        at: SourceLocation(file: name))
    }
  }

  /// An error about the bytes at an offset, if one is known.
  func failure(_ message: String, at offset: Int64?) -> InputError {
    InputError(
      .malformed(
        offset.map { "\(message) (byte \($0) of the binary property list)" } ?? message,
        hint: "get the file again; \"plutil -lint\" tests it"),
      at: SourceLocation(file: name))
  }

  // MARK: Objects

  /// What an object is, and where its content stands.
  struct Object {
    /// The high half of its first byte.
    var type: UInt8
    /// The low half, or the count that stands behind it.
    var count: Int64
    /// Where the object stands, and where what follows its count does.
    var start: Int64
    var content: Int64
  }

  /// The object of a number.
  ///
  /// - Throws: ``InputError`` when it stands nowhere, or its count goes beyond the objects.
  func object(_ number: UInt64) throws -> Object {
    guard number < objectCount else {
      throw failure("there is no object \(number)", at: nil)
    }
    let entry = tableStart + Int64(number) * Int64(offsetByteCount)
    let offset = try bytes.integer(at: entry, byteCount: offsetByteCount)
    guard offset >= UInt64(BinaryPropertyList.headByteCount), offset < UInt64(tableStart) else {
      throw failure(
        "object \(number) is said to stand at byte \(offset), where none can", at: entry)
    }
    let start = Int64(offset)
    let mark = UInt8(truncatingIfNeeded: try bytes.integer(at: start, byteCount: 1))
    var object = Object(
      type: mark >> 4, count: Int64(mark & 0xF), start: start, content: start + 1)
    if mark & 0xF == 0xF, mark >> 4 >= 4, mark >> 4 != 8 { try readCount(of: &object) }
    return object
  }

  /// Reads a count that is an integer object of its own.
  private func readCount(of object: inout Object) throws {
    guard object.content < tableStart else { throw cut(object) }
    let mark = UInt8(truncatingIfNeeded: try bytes.integer(at: object.content, byteCount: 1))
    guard mark >> 4 == 1, mark & 0xF <= 3 else {
      throw failure("a count that is no integer", at: object.content)
    }
    let byteCount = 1 << Int(mark & 0xF)
    guard object.content + 1 + Int64(byteCount) <= tableStart else { throw cut(object) }
    let count = try bytes.integer(at: object.content + 1, byteCount: byteCount)
    guard count <= UInt64(tableStart) else {
      throw failure("a count of \(count), more than the file has bytes", at: object.content)
    }
    object.count = Int64(count)
    object.content += 1 + Int64(byteCount)
  }

  /// Fails when an object's content reaches beyond the objects.
  ///
  /// - Throws: ``InputError``.
  func check(_ object: Object, byteCount: Int64) throws {
    guard byteCount <= tableStart - object.content else { throw cut(object) }
  }

  private func cut(_ object: Object) -> InputError {
    failure("an object reaches beyond the end of the objects", at: object.start)
  }

  /// The object number that stands at an offset.
  func reference(at offset: Int64) throws -> UInt64 {
    try bytes.integer(at: offset, byteCount: referenceByteCount)
  }
}
