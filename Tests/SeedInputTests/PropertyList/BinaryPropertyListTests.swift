import Foundation
import SeedModel
import Testing

@testable import SeedInput

@Suite struct BinaryPropertyListTests {
  private func read(_ list: BinaryList) throws -> ReadObjects {
    try ReadObjects(bytes: list.bytes, format: .plist)
  }

  /// The value that an object has as a token.
  private func value(_ object: [UInt8]) throws -> String? {
    let read = try read(BinaryList(value: object))
    guard read.events.count == 3, case .field("v", let value) = read.events[1] else { return nil }
    return value
  }

  // MARK: Values

  @Test(
    arguments: [
      ([0x08], "false"), ([0x09], "true"), ([0x10, 0], "0"), ([0x10, 255], "255"),
      ([0x11, 0xFF, 0xFF], "65535"), ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], "4294967295"),
      ([0x13] + [UInt8](repeating: 0xFF, count: 8), "-1"),
      ([0x13, 0x80] + [UInt8](repeating: 0, count: 7), "-9223372036854775808"),
      ([0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7), "9223372036854775807"),
      (
        [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8),
        "18446744073709551615"
      ),
      ([0x14] + [UInt8](repeating: 0xFF, count: 16), "-1"),
      (
        [0x14, 0x80] + [UInt8](repeating: 0, count: 15),
        "-170141183460469231731687303715884105728"
      ),
      (
        [0x14, 0x7F] + [UInt8](repeating: 0xFF, count: 15),
        "170141183460469231731687303715884105727"
      ),
      ([0x80, 7], "7"), ([0x81, 1, 0], "256"), ([0x83, 0, 0, 1, 0], "256"),
      ([0x22, 0x3F, 0xC0, 0, 0], "1.5"), ([0x40], ""), ([0x43, 1, 2, 0xFF], "AQL/"),
      ([0x50], ""), ([0x60], ""),
    ] as [([UInt8], String)])
  func `a value is what its bytes say`(object: [UInt8], meaning: String) throws {
    #expect(try value(object) == meaning)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1.5, "1.5"), (1.0, "1"), (1e300, "1e300"), (0.1, "0.1"),
    (-2.5e-7, "-2.5e-7"), (.leastNonzeroMagnitude, "5e-324"), (.nan, "nan"), (.infinity, "inf"),
    (-.infinity, "-inf"), (123_456_789.123, "123456789.123"),
  ])
  func `a real has its shortest form`(number: Double, meaning: String) throws {
    #expect(try value(BinaryList.real(number)) == meaning)
  }

  @Test(arguments: [
    (0.0, "2001-01-01T00:00:00Z"), (285_328_800.0, "2010-01-16T10:00:00Z"),
    (0.5, "2001-01-01T00:00:00.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
    (-1.5, "2000-12-31T23:59:58.5Z"), (-86_400.0, "2000-12-31T00:00:00Z"),
    (285_328_800.125, "2010-01-16T10:00:00.125Z"), (-978_307_200.0, "1970-01-01T00:00:00Z"),
    (-63_114_076_800.0, "0000-12-30T00:00:00Z"), (63_113_904_000.0, "4001-01-01T00:00:00Z"),
    (94_608_000.0 - 26_265_600.0, "2003-03-03T00:00:00Z"), (5_097_600.0, "2001-03-01T00:00:00Z"),
    (99_705_600.0, "2004-02-29T00:00:00Z"),
  ])
  func `a date is a text in UTC`(seconds: Double, meaning: String) throws {
    #expect(try value(BinaryList.date(seconds)) == meaning)
  }

  @Test func `dates agree with those of Foundation`() throws {
    let formatter = ISO8601DateFormatter()
    formatter.timeZone = TimeZone(identifier: "UTC")
    // From 1600 on, where both calendars are Gregorian.
    for step in 0..<2_000 {
      let seconds = -12_000_000_000 + Double(step) * 10_007_777
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(PropertyListDate.text(secondsSince2001: seconds) == formatter.string(from: date))
    }
  }

  @Test(arguments: ["", "x", "two words", "é", "日本 😀", String(repeating: "ab", count: 30_000)])
  func `a string is one whatever its encoding`(text: String) throws {
    #expect(try value(BinaryList.string(text)) == text)
    let units = Array(text.utf16)
    let wide =
      BinaryList.head(6, units.count)
      + units.flatMap {
        BinaryList.bigEndian(UInt64($0), 2)
      }
    #expect(try value(wide) == text)
  }

  @Test func `data of every length is Base64`() throws {
    for count in Array(0...50) + [24_575, 24_576, 24_577, 100_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      #expect(try value(BinaryList.data(bytes)) == Data(bytes).base64EncodedString())
    }
  }

  @Test func `data and reals are said to be that`() throws {
    let read = try read(
      BinaryList([
        BinaryList.array([1, 2]), BinaryList.dictionary([3, 4, 5], [6, 7, 6]),
        BinaryList.dictionary([3, 4, 5], [6, 7, 7]), BinaryList.string("d"),
        BinaryList.string("r"), BinaryList.string("m"), BinaryList.data([1]), BinaryList.real(1),
      ]))
    #expect(read.outline == #"<r><r d="AQ==" r="1" m="AQ=="/><r d="AQ==" r="1" m="1"/></r>"#)
    #expect(
      read.structure == [
        "r", "r/r", "[r/r]", "r/r@d", "r/r@d data", "r/r@r", "r/r@r real", "r/r@m", "r/r@m data",
        "r/r@m real", "r/r@m mixed",
      ])
  }

  // MARK: Structure

  @Test func `arrays, sets and dictionaries are what they are in JSON`() throws {
    let read = try read(
      BinaryList([
        BinaryList.dictionary([1, 2, 3], [4, 5, 6]), BinaryList.string("a"),
        BinaryList.string("s"), BinaryList.string("d"), BinaryList.array([7, 8]),
        BinaryList.array([7], type: 0xC), BinaryList.dictionary([1], [7]), [0x10, 1], [0x00],
      ]))
    #expect(read.outline == #"<r><a text="1"/><a/><s text="1"/><d a="1"/></r>"#)
    #expect(read.lines == [0, 0, 0, 0, 0])
  }

  @Test func `collections are found as in JSON`() throws {
    let read = try read(
      BinaryList([
        BinaryList.dictionary([1, 2, 3], [4, 4, 4]), BinaryList.string("x"),
        BinaryList.string("y"), BinaryList.string("é"), BinaryList.dictionary([1], [5]), [0x10, 1],
      ]))
    #expect(
      read.outline
        == #"<r><r key="x" x="1"/><r key="y" x="1"/><r key="é" x="1"/></r>"#)
    #expect(read.readingCount == 2)
  }

  @Test func `numbers of every width are read`() throws {
    var list = BinaryList([[0xD1, 1, 2], BinaryList.string("v"), [0x10, 7]])
    for width in 1...8 {
      list.offsetByteCount = width
      #expect(try read(list).outline == #"<r v="7"/>"#)
    }
    for width in 1...8 {
      list.objects[0] =
        [0xD1] + BinaryList.bigEndian(1, width) + BinaryList.bigEndian(2, width)
      list.referenceByteCount = width
      #expect(try read(list).outline == #"<r v="7"/>"#)
    }
  }

  @Test func `a list larger than the memory for it is read`() throws {
    // Long strings and short ones, so that objects lie across pages.
    var list = BinaryList([[]])
    list.offsetByteCount = 4
    list.referenceByteCount = 2
    for index in 0..<600 {
      list.objects.append(
        BinaryList.string("\(index) " + String(repeating: "x", count: 10_000 + index)))
    }
    let references = (1...600).map { BinaryList.bigEndian(UInt64($0), 2) }.joined()
    list.objects[0] = BinaryList.head(0xA, 600) + references
    let read = try read(list)
    #expect(list.bytes.count > 5 << 20)
    #expect(read.events.count == 2 + 3 * 600)
    for index in 0..<600 {
      let text = "\(index) " + String(repeating: "x", count: 10_000 + index)
      #expect(read.events[2 + 3 * index] == .field("text", text))
    }
  }

  @Test func `what Foundation writes is read`() throws {
    let value: [String: Any] = [
      "rows": (0..<500).map {
        ["id": $0, "name": "row \($0) é", "on": $0 % 2 == 0] as [String: Any]
      }
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: value, format: .binary, options: 0)
    let read = try ReadObjects(bytes: data, format: .plist)
    #expect(read.events.count == 2 + 500 * 5)
    #expect(read.events.contains(.field("name", "row 499 é")))
  }

  // MARK: Mistakes

  private func message(_ list: BinaryList) throws -> String? {
    try ReadObjects.error(bytes: list.bytes, format: .plist).map { "\($0)" }
  }

  @Test func `a list that is cut anywhere is an error`() throws {
    let bytes = BinaryList(value: BinaryList.string("some text")).bytes
    for count in 6..<bytes.count {
      #expect(
        try ReadObjects.error(bytes: bytes[..<count], format: .plist) != nil, "cut at \(count)")
    }
  }

  @Test func `a wrong byte anywhere is an error or another value`() throws {
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: ["a": [1, 2.5, "é", Data([1]), Date()], "b": ["c": true]],
      format: .binary, options: 0)
    for index in bytes.indices {
      for change in [1, 0x0F, 0x80, 0xFF] as [UInt8] {
        var wrong = bytes
        wrong[index] ^= change
        _ = try ReadObjects.error(bytes: wrong, format: .plist)
      }
    }
  }

  @Test(
    arguments: [
      ([0x01], "an object of the unknown type 0x1 (byte 13 of the binary property list)"),
      ([0x15], "an object of the unknown type 0x15 (byte 13 of the binary property list)"),
      ([0x20], "an object of the unknown type 0x20 (byte 13 of the binary property list)"),
      ([0x32], "an object of the unknown type 0x32 (byte 13 of the binary property list)"),
      ([0x70], "an object of the unknown type 0x70 (byte 13 of the binary property list)"),
      ([0x88], "an object of the unknown type 0x88 (byte 13 of the binary property list)"),
      ([0xE0], "an object of the unknown type 0xe0 (byte 13 of the binary property list)"),
      (
        [0x13, 0, 0],
        "an object reaches beyond the end of the objects (byte 13 of the binary property list)"
      ),
      (
        [0x5A, 0x41],
        "an object reaches beyond the end of the objects (byte 13 of the binary property list)"
      ),
      (
        [0x5F],
        "an object reaches beyond the end of the objects (byte 13 of the binary property list)"
      ),
      (
        [0x5F, 0x13, 0xFF],
        "an object reaches beyond the end of the objects (byte 13 of the binary property list)"
      ),
      ([0x5F, 0x51, 0x41], "a count that is no integer (byte 14 of the binary property list)"),
      (
        [0x5F, 0x10, 0xFF],
        "a count of 255, more than the file has bytes (byte 14 of the binary property list)"
      ),
      (
        [0x5F, 0x13] + [UInt8](repeating: 0xFF, count: 8),
        "a count of 18446744073709551615, more than the file has bytes (byte 14 of the binary property list)"
      ),
      ([0xA1, 9], "there is no object 9"),
      ([0xA1, 0], "object 0 is inside itself (byte 8 of the binary property list)"),
      ([0x61, 0xD8, 0x00], "half a character of UTF-16 (byte 13 of the binary property list)"),
      ([0x61, 0xDC, 0x00], "half a character of UTF-16 (byte 14 of the binary property list)"),
      (
        [0x62, 0xD8, 0x00, 0x00, 0x41],
        "half a character of UTF-16 (byte 16 of the binary property list)"
      ),
      ([0x51, 0xC3], "a string that is not ASCII (byte 14 of the binary property list)"),
      (
        [0x52, 0x41, 0],
        "a string has a NUL character, at which SQLite's functions end a text (byte 15 of the binary property list)"
      ),
      (
        [0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0],
        "a date that no calendar has (byte 13 of the binary property list)"
      ),
      (
        [0xD2, 1, 1, 1, 1],
        "a dictionary has the key \"v\" twice (byte 14 of the binary property list)"
      ),
    ] as [([UInt8], String)])
  func `a wrong object is called by its place`(object: [UInt8], message: String) throws {
    #expect(try self.message(BinaryList(value: object)) == message)
  }

  @Test func `a wrong frame is called by its place`() throws {
    let right = BinaryList(value: [0x10, 7])
    func changed(_ change: (inout BinaryList) -> Void) throws -> String? {
      var list = right
      change(&list)
      return try message(list)
    }
    let behind = " of the binary property list)"
    #expect(
      try changed { $0.version = "15" } == "this version of binary property lists is not read")
    #expect(try changed { $0.top = 3 } == "there is no object 3, the outermost (byte 37" + behind)
    #expect(
      try changed { $0.objectCount = 100 }
        == "a table of 100 offsets does not fit behind byte 15 (byte 45" + behind)
    #expect(
      try changed { $0.objectCount = .max }
        == "a table of \(UInt64.max) offsets does not fit behind byte 15 (byte 45" + behind)
    #expect(
      try changed { $0.tableStart = .max }
        == "a table of 3 offsets does not fit behind byte \(UInt64.max) (byte 45" + behind)
    #expect(
      try changed { $0.offsets[2] = 500 }
        == "object 2 is said to stand at byte 500, where none can (byte 19" + behind)
    #expect(
      try changed { $0.offsets[2] = 3 }
        == "object 2 is said to stand at byte 3, where none can (byte 19" + behind)
    var bytes = right.bytes
    bytes[bytes.count - 26] = 0
    #expect(
      try ReadObjects.error(bytes: bytes, format: .plist).map { "\($0)" }
        == "offsets of 0 bytes (byte 27" + behind)
    bytes = right.bytes
    bytes[bytes.count - 25] = 9
    #expect(
      try ReadObjects.error(bytes: bytes, format: .plist).map { "\($0)" }
        == "references of 9 bytes (byte 28" + behind)
    #expect(
      try ReadObjects.error("bplist00", format: .plist).map { "\($0)" }
        == "the binary property list ends after 8 bytes")
  }

  @Test func `a key must be a string`() throws {
    #expect(
      try message(BinaryList([[0xD1, 1, 1], [0x10, 7]]))
        == "a key that is no string (byte 11 of the binary property list)")
  }

  @Test func `a value alone is no list to build from`() throws {
    #expect(
      try message(BinaryList([[0x10, 7]]))
        == "a property list to build from is a dictionary or an array (byte 8 of the binary property list)"
    )
  }

  @Test func `objects shared again and again are refused`() throws {
    // Each array has the next one ten times: 10^9 numbers from some hundred bytes.
    var list = BinaryList([])
    for index in 1...9 {
      list.objects.append(BinaryList.array([UInt8](repeating: UInt8(index), count: 10)))
    }
    list.objects.append([0x10, 7])
    #expect(
      try message(list)
        == "objects that are used again and again expand to more than 64 times the file's size")
  }

  @Test func `nesting is bounded`() throws {
    var list = BinaryList([])
    list.referenceByteCount = 2
    for index in 1...1_001 { list.objects.append([0xA1] + BinaryList.bigEndian(UInt64(index), 2)) }
    list.objects.append([0x10, 7])
    #expect(
      try ReadObjects.error(bytes: list.bytes, format: .plist)?.reason == .valuesTooDeep)
  }
}
