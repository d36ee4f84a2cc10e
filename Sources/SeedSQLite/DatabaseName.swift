internal import CSQLite

/// A file name in the form that `sqlite3_open_v2` takes, with the flags that go with it.
internal struct DatabaseName {
  internal var text: String
  internal var flags: Int32

  internal static let memory = DatabaseName(
    text: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)

  /// An empty name, which SQLite takes for a private temporary database.
  internal static let temporary = DatabaseName(
    text: "", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)

  private init(text: String, flags: Int32) {
    self.text = text
    self.flags = flags
  }

  internal init(path: String, mode: Connection.Mode) {
    switch mode {
    case .readOnly:
      self.init(text: Self.plain(path), flags: SQLITE_OPEN_READONLY)
    case .readWrite:
      self.init(text: Self.plain(path), flags: SQLITE_OPEN_READWRITE)
    case .readWriteAttaching:
      self.init(
        text: Self.uri(Self.plain(path)) + "?mode=rw",
        flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI)
    case .create:
      self.init(text: Self.plain(path), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    case .immutable:
      self.init(
        text: Self.uri(Self.plain(path)) + "?mode=ro&immutable=1",
        flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }
  }

  /// Keeps SQLite from reading `:memory:` or, where URIs are on by default, `file:…` as special.
  ///
  /// A decoded URI may still name `:memory:`, so URIs are made from this form as well.
  private static func plain(_ path: String) -> String {
    path.hasPrefix(":") || path.hasPrefix("file:") ? "./" + path : path
  }

  /// The path as a `file:` URI; an absolute path gets an empty authority, so that `//a` stays one.
  private static func uri(_ path: String) -> String {
    var uri = path.hasPrefix("/") ? "file://" : "file:"
    let digits = Array("0123456789ABCDEF")
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        uri.append("%")
        uri.append(digits[Int(byte >> 4)])
        uri.append(digits[Int(byte & 15)])
      }
    }
    return uri
  }
}
