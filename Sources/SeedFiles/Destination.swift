#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A file about to be replaced or created, with links followed to where it really lies.
internal struct Destination {
  /// The path as it was named, for messages.
  internal let name: String
  /// The absolute path of the directory, without links.
  internal let directory: String
  /// The name in that directory.
  internal let fileName: String
  /// What stands there; nil for nothing.
  internal private(set) var status: FileStatus?

  internal var path: String { Self.join(directory, fileName) }

  /// Follows the links of a path, the last of which may point to nothing yet.
  internal static func resolve(
    _ name: String, on files: FileSystem
  ) throws(PublishError) -> Destination {
    var path = name
    // As many links as Linux itself follows.
    for _ in 0...40 {
      let (head, tail) = try split(path, of: name)
      let directory = try resolveDirectory(head, of: name, on: files)
      var destination = Destination(name: name, directory: directory, fileName: tail)
      do throws(FileError) {
        destination.status = try files.linkStatus(destination.path)
        if destination.status?.kind == .symbolicLink {
          let target = try files.linkTarget(destination.path)
          path = target.hasPrefix("/") ? target : join(directory, target)
          continue
        }
      } catch {
        throw PublishError(.cannotCreate(error), path: name)
      }
      try destination.checkKind()
      return destination
    }
    throw PublishError(.linkLoop, path: name)
  }

  /// The same place with what stands there by now.
  internal func refreshed(on files: FileSystem) throws(PublishError) -> Destination {
    var current = self
    do throws(FileError) {
      current.status = try files.linkStatus(path)
    } catch {
      throw PublishError(.cannotPublish(error), path: name)
    }
    try current.checkKind()
    return current
  }

  internal static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  private func checkKind() throws(PublishError) {
    switch status?.kind {
    case .regular, nil: return
    case .directory: throw PublishError(.isDirectory, path: name)
    case .symbolicLink, .other: throw PublishError(.notARegularFile, path: name)
    }
  }

  /// The directory part, `.` without one, and the last component.
  private static func split(
    _ path: String, of name: String
  ) throws(PublishError) -> (directory: String, name: String) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw PublishError(.notAFileName, path: name)
    }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let tail = path[path.utf8.index(after: slash)...]
    // A trailing slash names the directory itself.
    return (String(path[...slash]), tail.isEmpty ? "." : String(tail))
  }

  private static func resolveDirectory(
    _ directory: String, of name: String, on files: FileSystem
  ) throws(PublishError) -> String {
    // Without its slash, as people name it; the root is nothing but a slash.
    let isSlashed = directory.utf8.count > 1 && directory.hasSuffix("/")
    let shown = isSlashed ? String(directory.dropLast()) : directory
    do throws(FileError) {
      let path = try files.realPath(directory)
      guard try files.status(path)?.kind == .directory else {
        throw FileError(.realpath, path, code: ENOTDIR)
      }
      return path
    } catch {
      switch error.code {
      case ENOENT: throw PublishError(.directoryMissing(shown), path: name)
      case ENOTDIR: throw PublishError(.notADirectory(shown), path: name)
      case ELOOP: throw PublishError(.linkLoop, path: name)
      default: throw PublishError(.cannotCreate(error), path: name)
      }
    }
  }
}
