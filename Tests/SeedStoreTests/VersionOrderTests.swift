import Testing

@testable import SeedStore

@Suite struct VersionOrderTests {
  @Test(arguments: [
    ("1.9", "1.10"), ("1", "1.0.1"), ("2.0-beta", "2.0"), ("2.0-alpha", "2.0-beta"), ("9", "10"),
    ("v9", "v10"), ("build9", "build10"), ("1.0b9", "1.0b10"), ("1.0b10", "1.0"),
    ("2024w9", "2024w10"), ("1.2", "v1.3"), ("18446744073709551616", "18446744073709551617"),
    ("1.0-rc.2", "1.0-rc.10"), ("9a", "10"),
    ("9.beta", "9"), ("9.beta", "9.0"), ("9.beta", "9.1"), ("8", "9.beta"),
  ])
  func `an older version comes before a newer one`(older: String, newer: String) {
    #expect(VersionOrder.isOrdered(older, before: newer))
    #expect(!VersionOrder.isOrdered(newer, before: older))
  }

  @Test(arguments: [("1.0", "1.0.0"), ("3", "3"), ("01", "1"), ("v1", "1.0"), ("1.0b09", "1.0b9")])
  func `equal versions have no order`(one: String, other: String) {
    #expect(!VersionOrder.isOrdered(one, before: other))
    #expect(!VersionOrder.isOrdered(other, before: one))
  }
}
