// SeedSQLite
