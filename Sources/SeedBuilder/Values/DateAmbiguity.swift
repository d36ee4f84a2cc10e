package import SeedModel

/// Two readings that every date of a column allows.
package struct DateAmbiguity: Sendable, Hashable {
  package var dayFirst: DateForm
  package var monthFirst: DateForm
}
