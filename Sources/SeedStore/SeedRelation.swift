/// How a seed stands to the database that is installed.
internal enum SeedRelation: Equatable {
  /// The same content, or nothing by which to tell that it is another one.
  case same
  /// A newer version, or the same version with another content.
  case newer
  /// An older version: a downgrade.
  case older
  /// Another seed, or a database that no seed was.
  case unrelated

  /// Compares a seed with what is installed.
  ///
  /// Versions are compared where both have one; otherwise other content counts as newer, since a
  /// developer who builds a seed anew rarely means to go back. The app may count `user_version` up
  /// by itself, so that decides only where there is no stamp at all. It may also give the database an
  /// `application_id` of its own, where the seed has none.
  internal init(of seed: SeedIdentity, to installed: SeedIdentity) {
    guard let name = seed.name else {
      if let digest = seed.contentSHA256, let other = installed.contentSHA256 {
        // A packed seed that says nothing of itself, but whose manifest does.
        self = digest == other ? .same : .unrelated
      } else if installed.name != nil {
        self = .unrelated
      } else {
        self = seed.userVersion > installed.userVersion ? .newer : .same
      }
      return
    }
    let isOtherKind = seed.applicationID != 0 && seed.applicationID != installed.applicationID
    guard name == installed.name, !isOtherKind else {
      self = .unrelated
      return
    }
    if seed.contentSHA256 == installed.contentSHA256, seed.version == installed.version {
      self = .same
    } else if let version = seed.version, let other = installed.version {
      self = VersionOrder.isOrdered(version, before: other) ? .older : .newer
    } else {
      self = .newer
    }
  }
}
