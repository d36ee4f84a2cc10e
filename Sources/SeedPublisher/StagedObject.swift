internal import SeedFiles
internal import SeedStreams

/// An object that is written under a temporary name, until its content gives it its own.
///
/// It is deleted with this value unless it was stored.
final class StagedObject {
  /// Where the bytes are.
  let path: String
  private var file: PendingFile?

  /// Starts an object in a stream's folder.
  init(in store: ObjectStore) throws(StreamPublishError) {
    let file = try store.stage()
    path = file.temporaryPath
    self.file = consume file
  }

  /// Adds bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(StreamPublishError) {
    do throws(PublishError) {
      try file?.write(bytes)
    } catch {
      throw StreamPublishError(.publish(error), path: path)
    }
  }

  /// Gives the object its name.
  ///
  /// - Returns: Whether it is new.
  func store(
    in store: ObjectStore, sha256: String, size: Int64
  ) throws(StreamPublishError) -> Bool {
    guard let file = file.take() else { return false }
    return try store.store(file, sha256: sha256, size: size)
  }
}
