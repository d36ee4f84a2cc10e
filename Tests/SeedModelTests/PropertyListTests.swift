import SeedModel
import Testing

@Suite struct PropertyListTests {
  private func hexadecimal(_ list: PropertyList) -> String {
    list.binary.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// By the layout that CoreFoundation's `CFBinaryPList.c` describes: the objects, a byte for the
  /// offset of each, and the trailer of 32 bytes.
  private func file(_ objects: [String], count: Int? = nil) -> String {
    var offsets = ""
    var position = 8
    for object in objects {
      offsets += String(position >> 4, radix: 16) + String(position & 15, radix: 16)
      position += object.count / 2
    }
    func number(_ value: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return "62706c6973743030" + objects.joined() + offsets + "0000000000000101"
      + number(objects.count) + number(0) + number(position)
  }

  @Test(arguments: [
    (PropertyList.boolean(true), "09"), (.boolean(false), "08"), (.integer(0), "1000"),
    (.integer(255), "10ff"), (.integer(256), "110100"), (.integer(65_536), "1200010000"),
    (.integer(4_294_967_296), "130000000100000000"), (.integer(-1), "13ffffffffffffffff"),
    (.real(1.5), "233ff8000000000000"), (.date(-1), "33bff0000000000000"),
    (.data([1, 2]), "420102"), (.data([]), "40"), (.string("ab"), "526162"), (.string(""), "50"),
    (.string("ä"), "6100e4"), (.string("😀"), "62d83dde00"), (.identifier(1), "8001"),
    (.identifier(256), "810100"), (.array([]), "a0"), (.dictionary([:]), "d0"),
    (.string(String(repeating: "a", count: 15)), "5f100f" + String(repeating: "61", count: 15)),
  ])
  func `a value is written as the format has it`(value: PropertyList, bytes: String) {
    #expect(hexadecimal(value) == file([bytes]))
  }

  @Test func `keys are sorted, and equal values are stored once`() {
    let list = PropertyList.dictionary([
      "b": .string("a"), "a": .array([.integer(1), .integer(1), .boolean(true)]),
    ])
    // The dictionary, the keys a and b, the array, and its 1 and true; the value of b is the key a.
    #expect(
      hexadecimal(list)
        == file(["d201020301", "5161", "5162", "a3040405", "1001", "09"]))
  }

  @Test func `texts that are only equivalent stay apart`() {
    let list = PropertyList.array([.string("\u{E9}"), .string("e\u{301}")])
    #expect(hexadecimal(list) == file(["a20102", "6100e9", "6200650301"]))
  }

  @Test func `numbers of objects get wider as there are more of them`() {
    let list = PropertyList.array((0..<300).map { .integer(Int64($0)) })
    let bytes = list.binary
    // The trailer: two bytes for an offset, two for a number; 301 objects.
    #expect(Array(bytes.suffix(26).prefix(2)) == [2, 2])
    #expect(Array(bytes.suffix(24).prefix(8)) == [0, 0, 0, 0, 0, 0, 1, 45])
  }

  @Test func `the value of a kind is given for that kind only`() {
    #expect(PropertyList.string("a").string == "a")
    #expect(PropertyList.string("a").integer == nil)
    #expect(PropertyList.data([1]).data == [1])
    #expect(PropertyList.array([.integer(1)]).array == [.integer(1)])
    #expect(PropertyList.dictionary([:]).dictionary?.isEmpty == true)
    #expect(PropertyList.integer(3).dictionary == nil)
  }

  private static let nested = PropertyList.dictionary([
    "a": .array([.integer(-1), .integer(300), .real(1.5), .date(2), .boolean(true)]),
    "ä😀": .string("ü"), "d": .data((0..<40).map { UInt8($0) }), "i": .identifier(7),
    "long": .string(String(repeating: "x", count: 300)), "e": .dictionary([:]),
  ])

  @Test func `what was written is read again`() {
    #expect(PropertyList(binary: Self.nested.binary) == Self.nested)
    #expect(PropertyList(binary: PropertyList.string("").binary) == .string(""))
  }

  @Test func `whatever is cut off or changed, it is read or refused`() {
    let whole = Self.nested.binary
    for count in 0..<whole.count {
      #expect(PropertyList(binary: Array(whole[..<count])) == nil)
    }
    var refused = 0
    for index in whole.indices {
      for mask in [0x01, 0x80, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] ^= mask
        if PropertyList(binary: bytes) == nil { refused += 1 }
      }
    }
    #expect(refused > 100)
  }

  @Test func `a list that is inside itself is refused`() {
    // An array of one object, the array itself.
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xA1, 0, 8] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(PropertyList(binary: bytes) == nil)
  }
}
