import SeedFetch
import Testing

@Suite struct CacheDirectoryTests {
  @Test(arguments: [
    (["SEED_CACHE_DIR": "c", "XDG_CACHE_HOME": "/x", "HOME": "/h"], "c"),
    (["SEED_CACHE_DIR": "", "XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x/seed"),
    (["XDG_CACHE_HOME": "relative", "HOME": "/h"], "/h/.cache/seed"),
    (["HOME": "/h"], "/h/.cache/seed"), ([:], "./.cache/seed"),
  ])
  func `the environment says where the cache is`(environment: [String: String], path: String) {
    #expect(CacheDirectory.path { environment[$0] } == path)
  }
}
