/// A stream of bytes: a file, standard input, or one that unpacks or decodes another.
package protocol ByteSource: AnyObject {
  /// Reads at most `capacity` bytes into `buffer`; 0 means the end.
  ///
  /// - Throws: ``InputError`` with a place where one is known.
  func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) throws -> Int
}
