internal import SeedFiles
internal import SeedModel
internal import SeedTransport

/// The head that a server gave last, kept in the cache: the server may then answer that it is still
/// the same.
internal struct StoredHead {
  /// The file's name in the cache.
  internal static let fileName = "head"

  /// The address that it came from; it counts for no other.
  internal var url: String
  internal var entityTag: String
  /// The document as it came, unpacked.
  internal var body: [UInt8]

  /// What tells an address from others without showing its query, which may hold a secret.
  internal static func key(of url: HTTPURL) -> String {
    guard let query = url.query else { return url.text }
    var digest = SHA256Digest()
    Array(query.utf8).withUnsafeBytes { digest.update($0) }
    return "\(url.textWithoutQuery)#\(digest.hexadecimal())"
  }

  /// Reads the head that came from an address; nil if there is none that can be used.
  internal static func read(
    from cache: StreamCache, url: String
  ) throws(FileError) -> StoredHead? {
    guard let bytes = try cache.contents(of: fileName, limit: StreamHead.byteLimit + (64 << 10)),
      let end = bytes.firstIndex(of: 0x0A)
    else { return nil }
    do throws(JSONError) {
      let line = try JSONValue(parsing: Array(bytes[..<end]))
      guard line["url"]?.stringValue == url, let tag = line["etag"]?.stringValue else { return nil }
      return StoredHead(url: url, entityTag: tag, body: Array(bytes[(end + 1)...]))
    } catch {
      // Nothing here is truth: what cannot be read is as good as not there.
      return nil
    }
  }

  /// Keeps the head, unless the disk is full: then the next poll fetches it again.
  internal func write(to cache: StreamCache) throws(FileError) {
    var bytes: [UInt8] = []
    JSONBytes.append(["url": .string(url), "etag": .string(entityTag)], to: &bytes)
    do throws(FileError) {
      try cache.prepare()
      try cache.write(bytes + [0x0A] + body, to: Self.fileName)
    } catch {
      guard error.isFull else { throw error }
    }
  }
}
