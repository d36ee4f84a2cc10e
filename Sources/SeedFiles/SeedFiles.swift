// SeedFiles
