import Foundation
import SeedFiles
import SeedModel
import SeedPublisher
import SeedSQLite
import SeedStreams
import TestSupport

/// A directory with a stream, and databases to be published in it.
final class PublishBench {
  let directory: TemporaryDirectory
  var options = PublishOptions()
  /// What the clock says.
  var time: Int64 = 1_767_225_600

  init(fanOut: Int64 = 8) throws {
    directory = try TemporaryDirectory()
    options.fanOut = fanOut
    options.lockTimeoutMilliseconds = 0
  }

  var target: String { directory.path("public") }
  var folder: String { target + "/main/v1" }

  /// Makes a database by running SQL.
  @discardableResult
  func database(_ sql: String, at name: String = "new.sqlite") throws -> String {
    let connection = try Connection(path: directory.path(name), mode: .create)
    try connection.execute(sql)
    try connection.close()
    return directory.path(name)
  }

  /// A copy of a database as a build would make it: without a position.
  func unpositioned(_ name: String, as copy: String = "copy.sqlite") throws -> String {
    let path = directory.path(copy)
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
    try FileManager.default.copyItem(atPath: directory.path(name), toPath: path)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      "DROP TABLE IF EXISTS _seed_stream; DROP TABLE IF EXISTS _seed_stream_table")
    try connection.close()
    return path
  }

  @discardableResult
  func publish(_ path: String, files: FileSystem = .live) throws -> PublishResult {
    var options = options
    options.time = time
    return try StreamPublisher(options, files: files).publish(path, to: target)
  }

  /// Runs SQL on a database and publishes it without the position that it had.
  @discardableResult
  func publish(
    after sql: String, on name: String = "new.sqlite", files: FileSystem = .live
  ) throws -> PublishResult {
    try database(sql, at: name)
    return try publish(try unpositioned(name), files: files)
  }

  func head() throws -> StreamHead {
    try StreamHead(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/head.json"))))
  }

  func object(_ sha256: String) -> String { folder + "/" + StreamLayout.object(sha256) }

  /// The text of a segment.
  func text(of segment: SegmentEntry) throws -> String {
    String(
      decoding: try Archive.unpacked(object(segment.sha256), size: Int(segment.plainSize)),
      as: UTF8.self)
  }

  /// The text of the longest segment that leads to the head, behind its header.
  func newestChange() throws -> String {
    let head = try head()
    guard let segment = head.segments.first(where: { $0.to == head.position.seq }) else {
      return ""
    }
    return try text(of: segment).split(separator: "\n").dropFirst().joined(separator: "\n")
  }

  /// The names of all files in the stream's folder.
  func objects() throws -> Set<String> {
    let paths = FileManager.default.enumerator(atPath: folder)
    return Set((paths?.allObjects as? [String] ?? []).filter { !$0.hasSuffix("/") })
      .filter { name in
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(
          atPath: folder + "/" + name, isDirectory: &isDirectory)
        return !isDirectory.boolValue
      }
  }

  func position(of path: String) throws -> StreamPosition? {
    let connection = try Connection(path: path, mode: .readOnly)
    return try CursorTables.cursor(of: "main", in: connection)?.position
  }
}
