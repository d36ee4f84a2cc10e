// SeedCommand
