/// Which seed a database is, or was made from.
///
/// It is in the database itself, in the table `_seed` that `seed build` writes; nothing outside of
/// the file can disagree with it.
public struct SeedIdentity: Sendable, Hashable {
  /// The seed's name; nil in a database that `seed build` did not make.
  public var name: String?
  /// The seed's version, if it was given one.
  public var version: String?
  /// The digest (SHA-256) over schema and rows, as hexadecimal digits.
  public var contentSHA256: String?
  /// `PRAGMA user_version`.
  public var userVersion: Int32
  /// `PRAGMA application_id`.
  public var applicationID: Int32

  /// An identity from its parts.
  public init(
    name: String? = nil, version: String? = nil, contentSHA256: String? = nil,
    userVersion: Int32 = 0, applicationID: Int32 = 0
  ) {
    self.name = name
    self.version = version
    self.contentSHA256 = contentSHA256
    self.userVersion = userVersion
    self.applicationID = applicationID
  }
}
