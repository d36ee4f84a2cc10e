package import SeedFiles
import SeedSQLite

/// An input of a build as the manifest beside the database names it.
package struct RecordedInput: Sendable, Hashable {
  /// The input's name.
  package var name: String
  /// The digest of its bytes, if the manifest has it.
  package var sha256: String?
  /// Its size, if the manifest has it.
  package var byteCount: Int64?

  /// Creates an input.
  package init(name: String, sha256: String? = nil, byteCount: Int64? = nil) {
    self.name = name
    self.sha256 = sha256
    self.byteCount = byteCount
  }

  /// What the name of a database's manifest ends with.
  private static let manifestSuffix = ".manifest.json"
  /// The largest manifest that is read, and the most inputs that are taken from it.
  private static let limits = (byteCount: Int64(4 << 20), inputs: 1000)

  /// The inputs that the manifest beside a database lists; none if there is no such list.
  ///
  /// The manifest is an extra: whatever it holds instead of inputs is passed over.
  package static func read(
    besideDatabaseAt path: String, files: FileSystem = .live
  ) -> [RecordedInput] {
    do {
      guard let text = try manifest(at: path + manifestSuffix, files) else { return [] }
      return try inputs(in: text)
    } catch {
      // An unreadable manifest or one that is no JSON.
      return []
    }
  }

  private static func manifest(at path: String, _ files: FileSystem) throws(FileError) -> [UInt8]? {
    guard let status = try files.status(path), status.kind == .regular,
      status.byteCount <= limits.byteCount
    else { return nil }
    let descriptor = try files.open(path, .read)
    defer { files.close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(status.byteCount), alignment: 1)
    defer { buffer.deallocate() }
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let length = try files.readAt(descriptor, path, rest, Int64(count))
      if length == 0 { break }
      count += length
    }
    return Array(buffer[..<count])
  }

  /// SQLite's own reader of JSON is there already and keeps to bounds.
  private static func inputs(in manifest: [UInt8]) throws(SQLiteError) -> [RecordedInput] {
    let statement = try Connection.inMemory().prepare(
      """
      SELECT value ->> '$.name', value ->> '$.sha256', value ->> '$.bytes'
      FROM json_each(?1, '$.inputs')
      WHERE json_type(?1, '$.inputs') = 'array' AND type = 'object'
        AND json_type(value, '$.name') = 'text'
      LIMIT ?2
      """)
    try statement.bindText(1, String(decoding: manifest, as: UTF8.self))
    try statement.bind(2, .integer(Int64(limits.inputs)))
    var inputs: [RecordedInput] = []
    while try statement.step() {
      inputs.append(
        RecordedInput(
          name: statement.text(0),
          sha256: statement.columnType(1) == .text ? statement.text(1) : nil,
          byteCount: statement.columnType(2) == .integer ? statement.integer(2) : nil))
    }
    return inputs
  }
}
