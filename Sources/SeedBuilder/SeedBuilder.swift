// SeedBuilder
