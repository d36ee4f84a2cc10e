#if canImport(Glibc)
  internal import CMemory
#endif

/// How the process gets memory for huge values.
package enum LargeBlocks {
  /// Gives blocks of a mebibyte and more back to the system as soon as they are freed.
  ///
  /// The setting belongs to the process, so only a program calls this. Apple's allocator does so
  /// by itself.
  package static func returnToSystem() {
    #if canImport(Glibc)
      _ = seed_map_blocks_from(1 << 20)
    #endif
  }
}
