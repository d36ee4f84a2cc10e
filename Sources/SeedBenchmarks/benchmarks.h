#pragma once

/// Writes the corpora of one scale into a folder, unless it already holds them; exits on
/// failure.
void generate(const char *directory, double scale);

/// Loads one corpus the plain way: libxml2's SAX2 events into a prepared INSERT; exits on failure.
void yardstick(const char *shape, const char *input, const char *output);

/// Upserts so many rows of one table the plain way, in one transaction; the round makes their values.
void upserts(const char *path, long count, int round);

// Reads all rows of a table once.
void scan(const char *path, const char *table);

/// Runs a command and prints what it took: wall, user and system seconds, peak KiB, exit code.
int measure(char *const command[]);

/// Prints a printf-style message as one line of an error and exits with 1.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
