#pragma once
#include <sqlite3.h>

// Swift cannot call C functions with variable arguments; each one used has a fixed form here.

/// Turns off memory statistics, which cost a mutex at every allocation. Call before the first open.
static inline int seed_sqlite3_config_no_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Allows or forbids direct writes to the schema table (`PRAGMA writable_schema`).
static inline int seed_sqlite3_config_defensive(sqlite3 *database, int isOn) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, isOn, (int *)0);
}

/// Binds text that stays valid until the statement is reset: SQLite makes no copy.
static inline int seed_sqlite3_bind_text_static(sqlite3_stmt *statement, int index,
                                                const char *text, int byteCount) {
  return sqlite3_bind_text(statement, index, text, byteCount, SQLITE_STATIC);
}

/// Binds text that SQLite copies at once.
static inline int seed_sqlite3_bind_text_copy(sqlite3_stmt *statement, int index,
                                              const char *text, int byteCount) {
  return sqlite3_bind_text(statement, index, text, byteCount, SQLITE_TRANSIENT);
}

/// Binds a blob that SQLite copies at once.
static inline int seed_sqlite3_bind_blob_copy(sqlite3_stmt *statement, int index,
                                              const void *bytes, int byteCount) {
  return sqlite3_bind_blob(statement, index, bytes, byteCount, SQLITE_TRANSIENT);
}
