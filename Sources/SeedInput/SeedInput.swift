// SeedInput
