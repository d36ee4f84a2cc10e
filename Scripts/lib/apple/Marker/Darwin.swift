// An empty module of Darwin's name: makes `#if canImport(Darwin)` hold beside Linux's Foundation.
