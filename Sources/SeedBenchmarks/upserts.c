// The yardstick for applying a stream's changes: the same rows as prepared upserts, one by one in one
// transaction. Tests/Checkers/stream_bench.py makes the segment with the same rows.
#include "benchmarks.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code, sqlite3 *database) {
  if (code != SQLITE_OK && code != SQLITE_DONE) fail("%s", sqlite3_errmsg(database));
}

static void execute(sqlite3 *database, const char *sql) {
  check(sqlite3_exec(database, sql, 0, 0, 0), database);
}

void upserts(const char *path, long count, int round) {
  sqlite3 *database;
  if (sqlite3_open(path, &database) != SQLITE_OK) fail("cannot open %s", path);
  execute(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                    "PRAGMA cache_size = -16384; BEGIN IMMEDIATE");
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(
            database,
            "INSERT INTO item(id, name, code, price, stock, note) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT(id) DO UPDATE SET name = excluded.name, code = excluded.code, "
            "price = excluded.price, stock = excluded.stock, note = excluded.note",
            -1, &statement, 0),
        database);
  for (long id = 1; id <= count; id++) {
    char name[64], code[32], note[96];
    int nameCount = snprintf(name, sizeof name, "name of row %ld", id);
    int codeCount = snprintf(code, sizeof code, "C-%08ld-%d", id, round);
    int noteCount =
        snprintf(note, sizeof note, "a note about row %ld that is somewhat longer, %d", id, round);
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_text(statement, 2, name, nameCount, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, code, codeCount, SQLITE_STATIC);
    sqlite3_bind_double(statement, 4, (double)(id % 1000) + 0.25);
    sqlite3_bind_int64(statement, 5, id * 7 % 1000);
    sqlite3_bind_text(statement, 6, note, noteCount, SQLITE_STATIC);
    check(sqlite3_step(statement), database);
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  execute(database, "COMMIT");
  sqlite3_close(database);
}
