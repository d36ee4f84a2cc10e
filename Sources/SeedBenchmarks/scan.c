// The yardstick for publishing a change: reading all of a table once, each value where it stands.
#include "benchmarks.h"

#include <sqlite3.h>
#include <stdio.h>

void scan(const char *path, const char *table) {
  sqlite3 *database;
  sqlite3_stmt *statement;
  char sql[300];
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
    fail("cannot open %s: %s", path, sqlite3_errmsg(database));
  sqlite3_snprintf(sizeof sql, sql, "SELECT * FROM \"%w\"", table);
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK)
    fail("%s: %s", path, sqlite3_errmsg(database));
  long long rows = 0, bytes = 0;
  int status, columns = sqlite3_column_count(statement);
  while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
    rows++;
    for (int column = 0; column < columns; column++) {
      int type = sqlite3_column_type(statement, column);
      if (type == SQLITE_INTEGER)
        bytes += sqlite3_column_int64(statement, column) & 7;
      else if (type == SQLITE_FLOAT)
        bytes += sqlite3_column_double(statement, column) > 0;
      else if (type != SQLITE_NULL && sqlite3_column_blob(statement, column) != NULL)
        bytes += sqlite3_column_bytes(statement, column);
    }
  }
  if (status != SQLITE_DONE) fail("%s: %s", path, sqlite3_errmsg(database));
  sqlite3_finalize(statement);
  sqlite3_close(database);
  printf("%lld rows, %lld\n", rows, bytes);
}
