// What Apple's Foundation has and the one on Linux has not.
import Foundation

extension FileManager {
  internal func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? { nil }
}
