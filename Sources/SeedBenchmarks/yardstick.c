// The yardstick, 1.0: one thread, one transaction, libxml2's SAX2 events bound to a prepared INSERT
// without a copy where the parser's bytes live long enough. It knows the tables beforehand, infers
// nothing, checks nothing and syncs nothing: what a careful C programmer would write for one file.
#include "benchmarks.h"

#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sqlite3 *database;

static void run(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
    fail("%s: %s", sql, sqlite3_errmsg(database));
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
    fail("%s: %s", sql, sqlite3_errmsg(database));
  }
  return statement;
}

static void insert(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail("insert: %s", sqlite3_errmsg(database));
  sqlite3_reset(statement);
}

static int64_t integer(const char *at, const char *end) {
  int is_negative = at < end && *at == '-';
  int64_t value = 0;
  for (at += is_negative; at < end; at++) value = value * 10 + (*at - '0');
  return is_negative ? -value : value;
}

static double decimal(const char *at, const char *end) {
  // strtod needs a terminator, and the byte after the value belongs to the parser.
  char copy[64];
  size_t length = (size_t)(end - at);
  if (length >= sizeof copy) fail("a number of %zu digits", length);
  memcpy(copy, at, length);
  copy[length] = 0;
  return strtod(copy, NULL);
}

// --- rows that are one element with attributes: events and posts

enum kind { text_kind, integer_kind, decimal_kind, boolean_kind };

struct column {
  const char *name;
  enum kind kind;
};

struct flat_shape {
  const char *element, *create, *insert;
  const struct column *columns;
  int count;
};

static const struct column event_columns[] = {{"timeStamp", text_kind},
                                              {"count", integer_kind},
                                              {"value", decimal_kind},
                                              {"title", text_kind},
                                              {"active", boolean_kind}};
static const struct column post_columns[] = {{"Id", integer_kind},
                                             {"PostTypeId", integer_kind},
                                             {"AcceptedAnswerId", integer_kind},
                                             {"ParentId", integer_kind},
                                             {"CreationDate", text_kind},
                                             {"Score", integer_kind},
                                             {"ViewCount", integer_kind},
                                             {"Body", text_kind},
                                             {"OwnerUserId", integer_kind},
                                             {"LastActivityDate", text_kind},
                                             {"Title", text_kind},
                                             {"Tags", text_kind},
                                             {"AnswerCount", integer_kind},
                                             {"CommentCount", integer_kind},
                                             {"ContentLicense", text_kind}};

static const struct flat_shape event_shape = {
    "Event",
    "CREATE TABLE Event(timeStamp TEXT, count INTEGER, value REAL, title TEXT, active INTEGER)",
    "INSERT INTO Event VALUES(?1, ?2, ?3, ?4, ?5)", event_columns, 5};
static const struct flat_shape post_shape = {
    "row",
    "CREATE TABLE row(Id INTEGER, PostTypeId INTEGER, AcceptedAnswerId INTEGER, ParentId INTEGER,"
    " CreationDate TEXT, Score INTEGER, ViewCount INTEGER, Body TEXT, OwnerUserId INTEGER,"
    " LastActivityDate TEXT, Title TEXT, Tags TEXT, AnswerCount INTEGER, CommentCount INTEGER,"
    " ContentLicense TEXT)",
    "INSERT INTO row VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    post_columns, 15};

static const struct flat_shape *shape;
static sqlite3_stmt *row_statement;

static void bind(int parameter, enum kind kind, const char *value, const char *end) {
  switch (kind) {
    case text_kind:
      sqlite3_bind_text(row_statement, parameter, value, (int)(end - value), SQLITE_STATIC);
      break;
    case integer_kind: sqlite3_bind_int64(row_statement, parameter, integer(value, end)); break;
    case decimal_kind: sqlite3_bind_double(row_statement, parameter, decimal(value, end)); break;
    case boolean_kind: sqlite3_bind_int(row_statement, parameter, *value == 't'); break;
  }
}

static void flat_start(void *context, const xmlChar *name, const xmlChar *prefix,
                       const xmlChar *uri, int namespaces, const xmlChar **namespace,
                       int attributes, int defaulted, const xmlChar **attribute) {
  (void)context, (void)prefix, (void)uri, (void)namespaces, (void)namespace, (void)defaulted;
  if (strcmp((const char *)name, shape->element) != 0) return;
  unsigned seen = 0;
  // Attributes mostly come in the order of the columns, so the search goes on behind the last hit.
  int expected = 0;
  for (const xmlChar **end = attribute + 5 * attributes; attribute < end; attribute += 5) {
    for (int tried = 0; tried < shape->count; tried++) {
      int column =
          expected + tried < shape->count ? expected + tried : expected + tried - shape->count;
      if (strcmp(shape->columns[column].name, (const char *)attribute[0]) != 0) continue;
      bind(column + 1, shape->columns[column].kind, (const char *)attribute[3],
           (const char *)attribute[4]);
      seen |= 1u << column;
      expected = column + 1;
      break;
    }
  }
  for (int column = 0; column < shape->count; column++) {
    if (!(seen >> column & 1)) sqlite3_bind_null(row_statement, column + 1);
  }
  insert(row_statement);
}

// --- orders: records inside records, text inside elements

/// A growing byte string; the parser's own bytes are gone when the element ends.
struct bytes {
  char *start;
  size_t count, capacity;
  int is_present;
};

static void clear(struct bytes *bytes) {
  bytes->count = 0;
  bytes->is_present = 0;
}

static void append(struct bytes *bytes, const char *more, size_t count) {
  if (bytes->count + count > bytes->capacity) {
    bytes->capacity = 2 * (bytes->count + count) + 64;
    bytes->start = realloc(bytes->start, bytes->capacity);
    if (bytes->start == NULL) fail("out of memory");
  }
  memcpy(bytes->start + bytes->count, more, count);
  bytes->count += count;
  bytes->is_present = 1;
}

static void assign(struct bytes *bytes, const char *value, size_t count) {
  bytes->count = 0;
  append(bytes, value, count);
}

static struct bytes content, date, status, customer, country, note, total, sku, name_text, price;
static int64_t order_row, order_id, item_index, quantity;
static sqlite3_stmt *order_statement, *item_statement;

static int is_named(const xmlChar *name, const char *expected) {
  return strcmp((const char *)name, expected) == 0;
}

static void order_start(void *context, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *uri, int namespaces, const xmlChar **namespace,
                        int attributes, int defaulted, const xmlChar **attribute) {
  (void)context, (void)prefix, (void)uri, (void)namespaces, (void)namespace, (void)defaulted;
  content.count = 0;
  if (is_named(name, "Order")) {
    order_row++;
    item_index = 0;
    clear(&date), clear(&status), clear(&customer), clear(&country), clear(&note), clear(&total);
  } else if (is_named(name, "Item")) {
    item_index++;
    clear(&sku), clear(&name_text), clear(&price);
  }
  for (const xmlChar **end = attribute + 5 * attributes; attribute < end; attribute += 5) {
    const char *value = (const char *)attribute[3], *value_end = (const char *)attribute[4];
    size_t count = (size_t)(value_end - value);
    if (is_named(attribute[0], "sku")) assign(&sku, value, count);
    else if (is_named(attribute[0], "qty")) quantity = integer(value, value_end);
    else if (is_named(attribute[0], "id")) order_id = integer(value, value_end);
    else if (is_named(attribute[0], "date")) assign(&date, value, count);
    else if (is_named(attribute[0], "status")) assign(&status, value, count);
    else if (is_named(attribute[0], "country")) assign(&country, value, count);
  }
}

static void order_text(void *context, const xmlChar *characters, int count) {
  (void)context;
  append(&content, (const char *)characters, (size_t)count);
}

static void bind_bytes(sqlite3_stmt *statement, int parameter, const struct bytes *bytes) {
  if (bytes->is_present)
    sqlite3_bind_text(statement, parameter, bytes->start, (int)bytes->count, SQLITE_STATIC);
  else sqlite3_bind_null(statement, parameter);
}

static void bind_decimal(sqlite3_stmt *statement, int parameter, const struct bytes *bytes) {
  if (bytes->is_present)
    sqlite3_bind_double(statement, parameter, decimal(bytes->start, bytes->start + bytes->count));
  else sqlite3_bind_null(statement, parameter);
}

static void insert_item(void) {
  sqlite3_bind_int64(item_statement, 1, order_row);
  sqlite3_bind_int64(item_statement, 2, item_index);
  bind_bytes(item_statement, 3, &sku);
  sqlite3_bind_int64(item_statement, 4, quantity);
  bind_bytes(item_statement, 5, &name_text);
  bind_decimal(item_statement, 6, &price);
  insert(item_statement);
}

static void insert_order(void) {
  sqlite3_bind_int64(order_statement, 1, order_row);
  sqlite3_bind_int64(order_statement, 2, order_id);
  bind_bytes(order_statement, 3, &date);
  bind_bytes(order_statement, 4, &status);
  bind_bytes(order_statement, 5, &customer);
  bind_bytes(order_statement, 6, &country);
  bind_bytes(order_statement, 7, &note);
  bind_decimal(order_statement, 8, &total);
  insert(order_statement);
}

static void order_end(void *context, const xmlChar *name, const xmlChar *prefix,
                      const xmlChar *uri) {
  (void)context, (void)prefix, (void)uri;
  if (is_named(name, "Name")) assign(&name_text, content.start, content.count);
  else if (is_named(name, "Price")) assign(&price, content.start, content.count);
  else if (is_named(name, "Item")) insert_item();
  else if (is_named(name, "Order")) insert_order();
  else if (is_named(name, "Customer")) assign(&customer, content.start, content.count);
  else if (is_named(name, "Note")) assign(&note, content.start, content.count);
  else if (is_named(name, "Total")) assign(&total, content.start, content.count);
  content.count = 0;
}

// --- the run

static void prepare_shape(const char *name, xmlSAXHandler *handler) {
  if (strcmp(name, "orders") == 0) {
    run("CREATE TABLE \"Order\"(row INTEGER PRIMARY KEY, id INTEGER, date TEXT, status TEXT, "
        "Customer TEXT,"
        " country TEXT, Note TEXT, Total REAL)");
    run("CREATE TABLE Item(order_row INTEGER, position INTEGER, sku TEXT, qty INTEGER, Name TEXT, "
        "Price REAL)");
    order_statement = prepare("INSERT INTO \"Order\" VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    item_statement = prepare("INSERT INTO Item VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    handler->startElementNs = order_start;
    handler->endElementNs = order_end;
    handler->characters = order_text;
    return;
  }
  if (strcmp(name, "events") == 0) shape = &event_shape;
  else if (strcmp(name, "posts") == 0) shape = &post_shape;
  else fail("the shapes are events, orders and posts, not %s", name);
  run(shape->create);
  row_statement = prepare(shape->insert);
  handler->startElementNs = flat_start;
}

void yardstick(const char *name, const char *input, const char *output) {
  if (unlink(output) != 0 && errno != ENOENT)
    fail("cannot replace %s: %s", output, strerror(errno));
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(output, &database, flags, NULL) != SQLITE_OK)
    fail("cannot create %s", output);
  run("PRAGMA journal_mode = OFF");
  run("PRAGMA synchronous = OFF");
  run("PRAGMA locking_mode = EXCLUSIVE");

  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  prepare_shape(name, &handler);

  int file = open(input, O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("cannot open %s: %s", input, strerror(errno));
  xmlParserCtxtPtr parser = xmlNewParserCtxt();
  if (parser == NULL) fail("out of memory");
  *parser->sax = handler;
  parser->userData = parser;
  run("BEGIN");
  xmlCtxtReadFd(parser, file, input, NULL, XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_COMPACT);
  if (!parser->wellFormed) {
    fail("%s:%d: not well-formed (libxml2 error %d)", input,
         parser->input ? parser->input->line : 0, parser->errNo);
  }
  run("COMMIT");
  xmlFreeParserCtxt(parser);
  close(file);
  sqlite3_finalize(row_statement);
  sqlite3_finalize(order_statement);
  sqlite3_finalize(item_statement);
  if (sqlite3_close(database) != SQLITE_OK) fail("cannot close %s", output);
}
