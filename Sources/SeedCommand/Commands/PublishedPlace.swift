import SeedFiles
import SeedPublisher
import SeedStreams
import SeedTransport

/// Where a stream is published, as people say it.
enum PublishedPlace {
  /// The folder of a head, where the head itself may be named.
  static func folder(_ text: String) -> String {
    let end = "/" + StreamLayout.head
    return text.hasSuffix(end) && text.utf8.count > end.utf8.count
      ? String(text.dropLast(end.count)) : text
  }

  /// The folder of a stream's head; for a path also within the directory that `--to` was given.
  ///
  /// - Throws: ``PublishedSourceError`` when the directory cannot be looked into.
  static func folder(
    _ text: String, of stream: String
  ) throws(PublishedSourceError) -> String {
    let folder = folder(text)
    guard !HTTPURL.isMeant(by: folder) else { return folder }
    return try DirectorySource(folder, stream: stream).path
  }
}
