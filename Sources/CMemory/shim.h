#pragma once
#include <malloc.h>

/// Has the C library map every block from this size on by itself, so that it goes back to the
/// system when it is freed. By default the size grows with the blocks that are freed (mallopt(3)),
/// and a build that meets one huge value after the other keeps several times their memory.
static inline int seed_map_blocks_from(int byteCount) {
  return mallopt(M_MMAP_THRESHOLD, byteCount);
}
