#pragma once
#include <zlib.h>

/// `inflateInit2` is a macro that Swift cannot see. 15 + 16: the largest window, gzip framing only.
static inline int seed_inflate_init_gzip(z_streamp stream) { return inflateInit2(stream, 15 + 16); }

/// `deflateInit2` is a macro, too. Strongest compression, gzip framing.
static inline int seed_deflate_init_gzip(z_streamp stream) {
  return deflateInit2(stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}
