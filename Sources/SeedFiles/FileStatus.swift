/// What the system knows about a file.
package struct FileStatus: Sendable, Equatable {
  /// The kinds of file that are treated differently.
  package enum Kind: Sendable {
    case regular, directory, symbolicLink
    /// A FIFO, a socket or a device.
    case other
  }

  /// Which file it is, whatever it is called: equal for two names of one file.
  package struct Identity: Sendable, Hashable {
    package var device: UInt64
    package var number: UInt64

    /// The number of the file on its device.
    package init(device: UInt64, number: UInt64) {
      self.device = device
      self.number = number
    }
  }

  package var kind: Kind
  package var byteCount: Int64
  /// The permission bits, at most 0o7777.
  package var permissions: UInt16
  package var identity: Identity
  /// When the content last changed, in nanoseconds since 1970.
  package var modificationTime: Int64

  /// A status as it was read.
  package init(
    kind: Kind, byteCount: Int64, permissions: UInt16, identity: Identity,
    modificationTime: Int64 = 0
  ) {
    self.kind = kind
    self.byteCount = byteCount
    self.permissions = permissions
    self.identity = identity
    self.modificationTime = modificationTime
  }
}
