import Foundation
package import SeedFiles

/// A file system in memory that can lose power: what was not synchronized may then be gone.
///
/// Contents of files and names in directories are lost separately, as real file systems do. A
/// rename inside of one directory is one step; between two directories it is one in each.
///
/// `@unchecked` is safe: the state is guarded by the lock.
package final class MemoryFiles: @unchecked Sendable {
  /// Names that a directory gets or loses in one step.
  private typealias Change = [(name: String, node: Int?)]

  private struct Node {
    var isDirectory: Bool
    var bytes: [UInt8] = []
    var durableBytes: [UInt8] = []
    /// The names as they are on the disk, and the changes that are not there yet.
    var durableNames: [String: Int] = [:]
    var changes: [Change] = []

    var names: [String: Int] { Self.apply(changes, to: durableNames) }

    static func apply(_ changes: [Change], to names: [String: Int]) -> [String: Int] {
      var names = names
      for change in changes {
        for (name, node) in change { names[name] = node }
      }
      return names
    }
  }

  private struct Descriptor {
    var node: Int
    var position = 0
    var isAppending = false
  }

  private struct State {
    var nodes: [Int: Node] = [0: Node(isDirectory: true)]
    var descriptors: [Int32: Descriptor] = [:]
    var locks: [Int: Int32] = [:]
    var nextNode = 1
    var nextDescriptor: Int32 = 100
    var time: Int64 = 0
  }

  /// What of a file's content is on the disk that was not synchronized.
  package enum Content: Sendable, CaseIterable {
    case nothing, half, everything
  }

  private let lock = NSLock()
  private var state = State()
  /// Calls that this file system refuses, each with its error number.
  private let unsupported: [FileError.Operation: Int32]

  /// An empty file system.
  package init(unsupported: [FileError.Operation: Int32] = [:]) {
    self.unsupported = unsupported
  }

  private init(_ state: State, _ unsupported: [FileError.Operation: Int32]) {
    self.state = state
    self.unsupported = unsupported
  }

  // MARK: For the test

  /// A file as it was left by an earlier run: all of it on the disk.
  package func put(_ bytes: [UInt8], at path: String) {
    lock.withLock {
      let (directory, name) = makeParents(path)
      let node = state.nextNode
      state.nextNode += 1
      state.nodes[node] = Node(isDirectory: false, bytes: bytes, durableBytes: bytes)
      state.nodes[directory]?.durableNames[name] = node
    }
  }

  /// A directory that is on the disk.
  package func putDirectory(_ path: String) {
    lock.withLock { _ = makeParents(path + "/x") }
  }

  /// The bytes of a file as the processes see it; nil if there is none.
  package func bytes(at path: String) -> [UInt8]? {
    lock.withLock { find(path).flatMap { state.nodes[$0]?.bytes } }
  }

  /// Changes a file's bytes as a program would, without synchronizing them.
  package func change(_ path: String, to bytes: [UInt8]) {
    lock.withLock {
      if let node = find(path) { state.nodes[node]?.bytes = bytes }
    }
  }

  /// The names in a directory as the processes see them.
  package func names(in path: String) -> [String] {
    lock.withLock { find(path).flatMap { state.nodes[$0]?.names.keys.sorted() } ?? [] }
  }

  /// Everything in it by its path: a file's bytes, nil for a directory.
  package var contents: [String: [UInt8]?] {
    lock.withLock {
      var contents: [String: [UInt8]?] = [:]
      func visit(_ number: Int, _ path: String) {
        guard let node = state.nodes[number] else { return }
        contents.updateValue(node.isDirectory ? nil : node.bytes, forKey: path)
        for (name, child) in node.names { visit(child, path + "/" + name) }
      }
      visit(0, "")
      return contents
    }
  }

  /// How many changes of names are not on the disk.
  package var unsynchronizedCount: Int {
    lock.withLock { state.nodes.values.reduce(0) { $0 + $1.changes.count } }
  }

  /// What a power failure leaves.
  ///
  /// - Parameters:
  ///   - kept: Which of the changes of names that were not synchronized are on the disk, a bit each.
  ///   - content: What of the contents is.
  /// - Returns: The file system as the next start finds it.
  package func afterPowerFailure(kept: Int, content: Content) -> MemoryFiles {
    lock.withLock {
      var after = state
      after.descriptors = [:]
      after.locks = [:]
      var bit = 0
      for number in state.nodes.keys.sorted() {
        guard var node = state.nodes[number] else { continue }
        let survivors = node.changes.filter { _ in
          defer { bit += 1 }
          return kept & (1 << bit) != 0
        }
        node.durableNames = Node.apply(survivors, to: node.durableNames)
        node.changes = []
        if node.bytes != node.durableBytes {
          switch content {
          case .nothing: break
          case .half: node.durableBytes = Array(node.bytes.prefix(node.bytes.count / 2))
          case .everything: node.durableBytes = node.bytes
          }
        }
        node.bytes = node.durableBytes
        after.nodes[number] = node
      }
      return MemoryFiles(after, unsupported)
    }
  }

  /// What the death of the process leaves: everything but its descriptors and locks.
  package func afterProcessDeath() -> MemoryFiles {
    lock.withLock {
      var after = state
      after.descriptors = [:]
      after.locks = [:]
      return MemoryFiles(after, unsupported)
    }
  }

  // MARK: Names

  private func parts(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }

  private func find(_ path: String) -> Int? {
    var node = 0
    for part in parts(path) {
      guard let next = state.nodes[node]?.names[part] else { return nil }
      node = next
    }
    return node
  }

  private func parent(
    _ path: String, _ operation: FileError.Operation
  ) throws(FileError) -> (Int, String) {
    let parts = parts(path)
    guard let name = parts.last, let node = find(parts.dropLast().joined(separator: "/")),
      state.nodes[node]?.isDirectory == true
    else { throw FileError(operation, path, code: ENOENT) }
    return (node, name)
  }

  private func makeParents(_ path: String) -> (Int, String) {
    let parts = parts(path)
    var node = 0
    for part in parts.dropLast() {
      if let next = state.nodes[node]?.names[part] {
        node = next
        continue
      }
      let next = state.nextNode
      state.nextNode += 1
      state.nodes[next] = Node(isDirectory: true)
      state.nodes[node]?.durableNames[part] = next
      node = next
    }
    return (node, parts.last ?? "")
  }

  private func change(_ directory: Int, _ change: Change) {
    state.nodes[directory]?.changes.append(change)
  }

  private func synchronized<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  private func check(_ operation: FileError.Operation, _ path: String) throws(FileError) {
    if let code = unsupported[operation] { throw FileError(operation, path, code: code) }
  }

  private func rename(
    _ from: String, _ to: String, _ operation: FileError.Operation
  ) throws(FileError) {
    let (source, oldName) = try parent(from, operation)
    let (target, newName) = try parent(to, operation)
    guard let node = state.nodes[source]?.names[oldName] else {
      throw FileError(operation, from, code: ENOENT)
    }
    if operation == .renameExclusively, find(to) != nil {
      throw FileError(operation, to, code: EEXIST)
    }
    if source == target {
      change(source, [(oldName, nil), (newName, node)])
    } else {
      change(target, [(newName, node)])
      change(source, [(oldName, nil)])
    }
  }

  // MARK: The file system

  /// The operations on it.
  package var files: FileSystem {
    var files = FileSystem.live
    setContent(of: &files)
    setNames(of: &files)
    setStatus(of: &files)
    return files
  }

  private func open(_ path: String, _ mode: FileSystem.OpenMode) throws(FileError) -> Int32 {
    var descriptor: Descriptor
    switch mode {
    case .read, .readNoFollow, .directory:
      guard let node = find(path) else { throw FileError(.open, path, code: ENOENT) }
      descriptor = Descriptor(node: node)
    case .createNew, .append:
      let (directory, name) = try parent(path, .open)
      var node = find(path)
      if case .createNew = mode, node != nil { throw FileError(.open, path, code: EEXIST) }
      if node == nil {
        state.nodes[state.nextNode] = Node(isDirectory: false)
        change(directory, [(name, state.nextNode)])
        node = state.nextNode
        state.nextNode += 1
      }
      descriptor = Descriptor(node: node ?? 0)
      if case .append = mode { descriptor.isAppending = true }
    }
    state.nextDescriptor += 1
    state.descriptors[state.nextDescriptor] = descriptor
    return state.nextDescriptor
  }

  private func node(_ descriptor: Int32) -> Int { state.descriptors[descriptor]?.node ?? -1 }

  private func setContent(of files: inout FileSystem) {
    files.open = { (path, mode) throws(FileError) in
      try self.synchronized { () throws(FileError) in try self.open(path, mode) }
    }
    files.close = { descriptor in
      self.lock.withLock {
        let node = self.node(descriptor)
        if self.state.locks[node] == descriptor { self.state.locks[node] = nil }
        self.state.descriptors[descriptor] = nil
      }
    }
    files.read = { (descriptor, path, buffer) throws(FileError) in
      self.lock.withLock {
        let position = self.state.descriptors[descriptor]?.position ?? 0
        let count = self.copy(self.node(descriptor), position, buffer)
        self.state.descriptors[descriptor]?.position += count
        return count
      }
    }
    files.readAt = { (descriptor, path, buffer, offset) throws(FileError) in
      self.lock.withLock { self.copy(self.node(descriptor), Int(offset), buffer) }
    }
    files.write = { (descriptor, path, bytes) throws(FileError) in
      self.lock.withLock {
        self.state.nodes[self.node(descriptor)]?.bytes += Array(bytes)
        return bytes.count
      }
    }
    files.truncate = { (descriptor, path) throws(FileError) in
      self.lock.withLock { self.state.nodes[self.node(descriptor)]?.bytes = [] }
    }
    files.synchronize = { (descriptor, path) throws(FileError) in
      self.lock.withLock {
        let node = self.node(descriptor)
        let bytes = self.state.nodes[node]?.bytes ?? []
        self.state.nodes[node]?.durableBytes = bytes
      }
    }
    files.synchronizeOrder = files.synchronize
    files.startWriteback = { _, _, _ in }
    files.synchronizeDirectory = { (descriptor, path) throws(FileError) in
      self.lock.withLock {
        let node = self.node(descriptor)
        let names = self.state.nodes[node]?.names ?? [:]
        self.state.nodes[node]?.durableNames = names
        self.state.nodes[node]?.changes = []
      }
    }
    files.copyRange = { (from, to, path, byteCount) throws(FileError) in
      try self.check(.copyRange, path)
      return self.lock.withLock {
        let position = self.state.descriptors[from]?.position ?? 0
        let piece = (self.state.nodes[self.node(from)]?.bytes ?? [])
          .dropFirst(position).prefix(byteCount)
        self.state.descriptors[from]?.position += piece.count
        self.state.nodes[self.node(to)]?.bytes += piece
        return piece.count
      }
    }
    files.cloneFile = { (_, to) throws(FileError) in throw FileError(.clone, to, code: ENOSYS) }
    files.cloneContents = { (_, _, path) throws(FileError) in
      throw FileError(.clone, path, code: EOPNOTSUPP)
    }
    files.tryLock = { (descriptor, path) throws(FileError) in
      try self.check(.flock, path)
      return self.lock.withLock {
        let node = self.node(descriptor)
        guard self.state.locks[node] == nil else { return self.state.locks[node] == descriptor }
        self.state.locks[node] = descriptor
        return true
      }
    }
    // There is one process.
    files.recordLockHolder = { (_, _, _, _) throws(FileError) in nil }
    files.unlock = { descriptor in
      self.lock.withLock { self.state.locks[self.node(descriptor)] = nil }
    }
  }

  private func copy(
    _ node: Int, _ position: Int, _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let piece = (state.nodes[node]?.bytes ?? []).dropFirst(position).prefix(buffer.count)
    buffer.copyBytes(from: piece)
    return piece.count
  }

  private func setNames(of files: inout FileSystem) {
    files.rename = { (from, to) throws(FileError) in
      try self.synchronized { () throws(FileError) in try self.rename(from, to, .rename) }
    }
    files.renameExclusively = { (from, to) throws(FileError) in
      try self.check(.renameExclusively, to)
      try self.synchronized { () throws(FileError) in
        try self.rename(from, to, .renameExclusively)
      }
    }
    files.link = { (from, to) throws(FileError) in
      try self.check(.link, to)
      try self.synchronized { () throws(FileError) in
        let (directory, name) = try self.parent(to, .link)
        guard let node = self.find(from) else { throw FileError(.link, from, code: ENOENT) }
        guard self.find(to) == nil else { throw FileError(.link, to, code: EEXIST) }
        self.change(directory, [(name, node)])
      }
    }
    files.unlink = { (path) throws(FileError) in
      try self.synchronized { () throws(FileError) in
        let (directory, name) = try self.parent(path, .unlink)
        guard self.find(path) != nil else { throw FileError(.unlink, path, code: ENOENT) }
        self.change(directory, [(name, nil)])
      }
    }
    files.makeDirectory = { (path, _) throws(FileError) in
      try self.synchronized { () throws(FileError) in
        let (directory, name) = try self.parent(path, .mkdir)
        guard self.find(path) == nil else { throw FileError(.mkdir, path, code: EEXIST) }
        self.state.nodes[self.state.nextNode] = Node(isDirectory: true)
        self.change(directory, [(name, self.state.nextNode)])
        self.state.nextNode += 1
      }
    }
    files.names = { (path) throws(FileError) in self.names(in: path) }
    files.linkTarget = { (path) throws(FileError) in
      throw FileError(.readlink, path, code: EINVAL)
    }
    files.realPath = { (path) throws(FileError) in
      try self.synchronized { () throws(FileError) in
        guard self.find(path) != nil else { throw FileError(.realpath, path, code: ENOENT) }
        return path
      }
    }
  }

  private func status(_ node: Int) -> FileStatus {
    let isDirectory = state.nodes[node]?.isDirectory == true
    return FileStatus(
      kind: isDirectory ? .directory : .regular,
      byteCount: Int64(state.nodes[node]?.bytes.count ?? 0), permissions: 0o600,
      identity: FileStatus.Identity(device: 1, number: UInt64(max(node, 0))))
  }

  private func setStatus(of files: inout FileSystem) {
    files.status = { (path) throws(FileError) in
      self.lock.withLock { self.find(path).map { self.status($0) } }
    }
    files.linkStatus = files.status
    files.descriptorStatus = { (descriptor, path) throws(FileError) in
      self.lock.withLock { self.status(self.node(descriptor)) }
    }
    files.availableByteCount = { _ in .max }
    files.setPermissions = { (_, _, _) throws(FileError) in }
    files.removeAttributes = { (_, _) throws(FileError) in }
    files.setProtection = { (_, _, _) throws(FileError) in }
    files.setExcludedFromBackup = { (_, _) throws(FileError) in }
    files.pause = { milliseconds in
      self.lock.withLock { self.state.time += Int64(milliseconds) }
    }
    files.now = { self.lock.withLock { self.state.time } }
  }
}
