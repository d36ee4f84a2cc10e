/// The first hundred bytes of an SQLite database, read without SQLite.
///
/// Offsets and meanings are those of SQLite's file format, section 1.3.
package struct DatabaseHeader: Sendable, Hashable {
  /// How the database stores its texts.
  package enum TextEncoding: String, Sendable {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16le"
    case utf16BigEndian = "UTF-16be"
  }

  /// The length of the header.
  package static let byteCount = 100
  /// What every database starts with.
  package static let magic = Array("SQLite format 3\0".utf8)

  /// The page size in bytes as the file states it; not necessarily a valid one.
  package var pageSize: Int
  /// Whether readers and writers use a write-ahead log.
  package var isWriteAheadLogging: Bool
  /// The newest of the two file format versions: 1 for a rollback journal, 2 for a log; SQLite of
  /// today knows no other.
  package var formatVersion: UInt8
  /// Counts the transactions of a database in rollback mode.
  package var changeCounter: UInt32
  /// The file's size in pages; nil when a writer that does not keep it wrote last.
  package var pageCount: Int64?
  /// The pages that hold nothing.
  package var freePageCount: Int64
  /// How texts are stored; nil in a database without content.
  package var textEncoding: TextEncoding?
  /// `PRAGMA user_version`.
  package var userVersion: Int32
  /// `PRAGMA application_id`.
  package var applicationID: Int32

  /// Reads a header; nil when the bytes are too few or do not start like a database.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    func number(at offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65536 : size
    isWriteAheadLogging = bytes[18] == 2 || bytes[19] == 2
    formatVersion = max(bytes[18], bytes[19])
    changeCounter = number(at: 24)
    // The page count holds only if the writer that set it also made the last change.
    let isCountValid = number(at: 24) == number(at: 92) && number(at: 28) > 0
    pageCount = isCountValid ? Int64(number(at: 28)) : nil
    freePageCount = Int64(number(at: 36))
    textEncoding =
      switch number(at: 56) {
      case 1: .utf8
      case 2: .utf16LittleEndian
      case 3: .utf16BigEndian
      default: nil
      }
    userVersion = Int32(bitPattern: number(at: 60))
    applicationID = Int32(bitPattern: number(at: 68))
  }

  /// The exact size of the file in bytes; nil when the header does not say.
  package var expectedByteCount: Int64? { pageCount.map { $0 * Int64(pageSize) } }

  /// How many bytes a file of some size should have that was cut off; nil for one that lacks none.
  ///
  /// SQLite itself takes a part of a page at the end for a whole one and reads zeros behind it.
  package func wholeByteCount(ofCutFile byteCount: Int64) -> Int64? {
    guard hasValidPageSize else { return nil }
    let size = Int64(pageSize)
    let expected = expectedByteCount ?? (byteCount + size - 1) / size * size
    return byteCount < expected ? expected : nil
  }

  /// Whether the page size is one that SQLite uses: a power of two from 512 to 65536.
  package var hasValidPageSize: Bool {
    (512...65536).contains(pageSize) && pageSize & (pageSize - 1) == 0
  }
}
