#pragma once
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

// Swift cannot call C functions with variable arguments; each one used has a fixed form here.

/// Turns off memory statistics, which cost a mutex at every allocation. Call before the first open.
static inline int seed_sqlite3_config_no_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Allows or forbids direct writes to the schema table (`PRAGMA writable_schema`).
static inline int seed_sqlite3_config_defensive(sqlite3 *database, int isOn) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, isOn, (int *)0);
}

/// Lets statements fire triggers, or not; what foreign keys do by themselves goes on.
static inline int seed_sqlite3_config_triggers(sqlite3 *database, int isOn) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn, (int *)0);
}

/// Binds text that stays valid until the statement is reset: SQLite makes no copy.
static inline int seed_sqlite3_bind_text_static(sqlite3_stmt *statement, int index,
                                                const void *text, int byteCount) {
  return sqlite3_bind_text(statement, index, (const char *)text, byteCount, SQLITE_STATIC);
}

/// Binds a blob that stays valid until the statement is reset: SQLite makes no copy.
static inline int seed_sqlite3_bind_blob_static(sqlite3_stmt *statement, int index,
                                                const void *bytes, int byteCount) {
  return sqlite3_bind_blob(statement, index, bytes, byteCount, SQLITE_STATIC);
}

/// Binds text that SQLite copies at once; without any it is empty, not NULL.
static inline int seed_sqlite3_bind_text_copy(sqlite3_stmt *statement, int index,
                                              const void *text, long byteCount) {
  return sqlite3_bind_text64(statement, index, text ? (const char *)text : "",
                             (sqlite3_uint64)byteCount, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a blob that SQLite copies at once; without any bytes it is empty, not NULL.
static inline int seed_sqlite3_bind_blob_copy(sqlite3_stmt *statement, int index,
                                              const void *bytes, long byteCount) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", (sqlite3_uint64)byteCount,
                             SQLITE_TRANSIENT);
}

/// Orders texts by their bytes, the shorter first where one is the beginning of the other.
static inline int seed_byte_order(void *unused, int firstCount, const void *first, int secondCount,
                                  const void *second) {
  (void)unused;
  int common = firstCount < secondCount ? firstCount : secondCount;
  int order = common > 0 ? memcmp(first, second, (size_t)common) : 0;
  return order != 0 ? order : firstCount - secondCount;
}

/// Adds a collation to which SQLite hands texts in UTF-8 only.
static inline int seed_sqlite3_create_utf8_collation(sqlite3 *database, const char *name) {
  return sqlite3_create_collation(database, name, SQLITE_UTF8, (void *)0, seed_byte_order);
}

// Swift does not see constants that are computed from others.
static const int seed_sqlite3_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int seed_sqlite3_constraint_rowid = SQLITE_CONSTRAINT_ROWID;
static const int seed_sqlite3_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int seed_sqlite3_constraint_not_null = SQLITE_CONSTRAINT_NOTNULL;
static const int seed_sqlite3_constraint_check = SQLITE_CONSTRAINT_CHECK;
static const int seed_sqlite3_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY;
static const int seed_sqlite3_constraint_trigger = SQLITE_CONSTRAINT_TRIGGER;
static const int seed_sqlite3_constraint_data_type = SQLITE_CONSTRAINT_DATATYPE;

/// Reads bytes of the main database's file through SQLite's own descriptor.
///
/// Opening the file a second time and closing it would drop the locks of the whole process
/// (sqlite.org/howtocorrupt.html, 2.2). No lock is taken and no log is looked at. Without so many
/// bytes the rest is zeros and the result SQLITE_IOERR_SHORT_READ.
static inline int seed_sqlite3_read_file(sqlite3 *database, void *buffer, int byteCount,
                                         sqlite3_int64 offset) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods) return SQLITE_CANTOPEN;
  return file->pMethods->xRead(file, buffer, byteCount, offset);
}

/// Waits a millisecond for another connection, so many times at most.
static inline int seed_sqlite3_wait_briefly(void *limit, int count) {
  if (count >= (int)(intptr_t)limit) return 0;
  // Not sqlite3_sleep, which some builds round up to seconds.
  struct timespec time = {0, 1000000};
  nanosleep(&time, (struct timespec *)0);
  return 1;
}

/// Has a connection wait for others and look each millisecond, up to a limit in milliseconds.
static inline void seed_sqlite3_insist(sqlite3 *database, int limit) {
  sqlite3_busy_handler(database, seed_sqlite3_wait_briefly, (void *)(intptr_t)limit);
}

/// The size of the main database's file.
static inline int seed_sqlite3_file_size(sqlite3 *database, sqlite3_int64 *byteCount) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods) return SQLITE_CANTOPEN;
  return file->pMethods->xFileSize(file, byteCount);
}

/// The system's error number of the last failed call on the main database's file; 0 without one.
static inline int seed_sqlite3_last_errno(sqlite3 *database) {
  int number = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  return code == SQLITE_OK ? number : 0;
}

/// What the system says of the last failed call on the main database's file; NULL without one.
static inline const char *seed_sqlite3_last_system_message(sqlite3 *database) {
  int number = database ? sqlite3_system_errno(database) : 0;
  return number ? strerror(number) : (const char *)0;
}

static const int seed_sqlite3_ioerr_short_read = SQLITE_IOERR_SHORT_READ;
