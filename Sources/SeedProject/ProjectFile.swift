package import SeedFiles
package import SeedModel

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The project file: a whole build as JSON.
package enum ProjectFile {
  /// The name under which a build without arguments looks for it.
  package static let defaultName = "seed.json"
  /// Whether a file has the name of a project file: the default one, or one that ends in it after
  /// a dot, as the plugin looks for them.
  ///
  /// - Parameter path: The file's path.
  /// - Returns: Whether the last part of the path is such a name.
  package static func isNamed(_ path: String) -> Bool {
    guard path.hasSuffix(defaultName) else { return false }
    let rest = path.dropLast(defaultName.count)
    return rest.isEmpty || rest.hasSuffix("/") || rest.hasSuffix(".")
  }

  /// What a new project file may replace: others, which all name their sources, right or wrong.
  package static let kind = FileKind("a project file", byteLimit: byteLimit) { bytes in
    guard let document = try? JSONValue(parsing: bytes) else { return false }
    return document["sources"]?.arrayValue != nil
  }

  /// The most bytes that a project file may have.
  package static let byteLimit = 4 << 20

  /// Reads a project file.
  ///
  /// - Parameters:
  ///   - path: The file's path, which errors call it.
  ///   - files: The file system.
  /// - Returns: What the file declares.
  /// - Throws: ``ProjectErrors`` with all that is wrong with it, up to a limit.
  package static func read(
    _ path: String, files: FileSystem = .live
  ) throws(ProjectErrors) -> Project {
    let bytes: [UInt8]
    do throws(ProjectError) {
      bytes = try content(of: path, files: files)
    } catch {
      throw ProjectErrors([error])
    }
    return try decode(bytes, path: path)
  }

  /// Understands the bytes of a project file.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - path: What errors call it.
  /// - Returns: What the file declares.
  /// - Throws: ``ProjectErrors`` with all that is wrong with it, up to a limit.
  package static func decode(_ bytes: [UInt8], path: String) throws(ProjectErrors) -> Project {
    let root: LocatedJSON
    let log: ErrorLog
    do throws(JSONError) {
      var parser = LocatedJSONParser(try SourceText(bytes, file: path))
      root = try parser.parse()
      log = ErrorLog(parser.text, errors: parser.repetitions.map { ProjectError($0) })
    } catch {
      throw ProjectErrors([ProjectError(error)])
    }
    let project = ProjectDecoder(log: log).project(root, path: path)
    guard !log.errors.isEmpty else { return project }
    let sorted = log.errors.sorted {
      ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column)
    }
    throw ProjectErrors(Array(sorted.prefix(ProjectErrors.limit)))
  }

  private static func content(
    of path: String, files: FileSystem
  ) throws(ProjectError) -> [UInt8] {
    let place = SourceLocation(file: path)
    let bytes: [UInt8]?
    do throws(FileError) {
      guard let status = try files.status(path) else { throw FileError(.open, path, code: ENOENT) }
      guard status.kind != .directory else { throw FileError(.open, path, code: EISDIR) }
      bytes = try boundedBytes(of: path, files: files)
    } catch {
      if error.code == EISDIR { throw ProjectError(.isDirectory, at: place) }
      throw ProjectError(error.isMissing ? .missing : .unreadable(error), at: place)
    }
    guard let bytes else { throw ProjectError(.tooLarge, at: place) }
    return bytes
  }

  /// All bytes of a file; nil when there are too many.
  private static func boundedBytes(
    of path: String, files: FileSystem
  ) throws(FileError) -> [UInt8]? {
    let descriptor = try files.open(path, .read)
    defer { files.close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while bytes.count <= byteLimit {
      let count = try files.read(descriptor, path, buffer)
      if count == 0 { return bytes }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return nil
  }
}
