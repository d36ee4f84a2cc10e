/// When a device that is locked by a passcode can read a file (Data Protection of iOS).
package enum FileProtection: Int32, Sendable {
  /// Only while the device is unlocked.
  case complete = 1
  /// An open file stays readable after locking.
  case completeUnlessOpen = 2
  /// From the first unlocking after a start on.
  case untilFirstUnlock = 3
  /// Always.
  case none = 4
}
