/// The steps of an installation, in their order; an error names the one it stopped at.
public enum InstallStep: String, Sendable, Hashable, CaseIterable {
  /// Finding the destination's folder, and making it where it is missing.
  case resolve
  /// Looking at what stands at the destination.
  case probe
  /// Waiting for other processes that install the same database.
  case lock
  /// Deleting what a process that died has left behind.
  case sweep
  /// Looking at the seed.
  case checkSource
  /// Looking for room on the disk.
  case space
  /// Making the copy, under a temporary name beside the destination.
  case stage
  /// Running the app's own preparation, and writing down the installation in the copy.
  case prepare
  /// Checking the copy.
  case validate
  /// Waiting until the copy is on the disk.
  case syncFile
  /// Moving aside what an earlier database has left beside the destination.
  case quarantine
  /// Giving the copy its name, unless that is taken.
  case publish
  /// Waiting until the name is on the disk.
  case syncDirectory
  /// Letting other processes go on.
  case unlock
  /// Copying the installed database, before its content is replaced or
  /// merged.
  case keepPrevious
  /// Replacing the content of the installed database.
  case replace
  /// Writing the rows of a newer seed into the installed database.
  case merge
  /// Bringing back the content from before the last replacement.
  case rollback
}
