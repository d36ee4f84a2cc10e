// The files that builds are measured on. The same scale gives the same bytes everywhere: the random
// numbers are the file's own and nothing depends on the machine.
#include "benchmarks.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Raised whenever the bytes of a corpus change, so that a kept folder is written again.
enum { corpus_version = 2 };

/// Titles, names and notes are made of these; over half of them go beyond ASCII.
static const char *const words[] = {
    "river", "lake",   "cloud",    "stone",   "window", "harvest", "maple",     "signal",
    "lamp",  "bread",  "journey",  "balance", "Pedro",  "Lübeck",  "Helsingør", "Åre",
    "señor", "garçon", "Åkersjön", "Ιωνική",  "Ладога", "京都",    "札幌",      "부산",
    "★",     "←",      "‰",        "¼",       "énoncé", "piège",   "bûchée"};
static const char *const plain_words[] = {"and",  "a",    "by",       "on",      "at",    "it",
                                          "why",  "so",   "I",        "may",     "from",  "our",
                                          "we",   "line", "variable", "streams", "table", "query",
                                          "then", "run",  "after",    "column",  "row",   "index"};
/// What may follow a word; most titles get a character that XML escapes.
static const char *const tails[] = {"",     "",       "",      "",   ",",  " &",
                                    " <i>", " \"z\"", " we'd", " >", " 🎈"};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PICK(array) (array)[below(COUNT(array))]

// --- random numbers: splitmix64

static uint64_t state;

static uint64_t next(void) {
  uint64_t mixed = (state += 0x9e3779b97f4a7c15u);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

static uint64_t below(uint64_t limit) {
  return (uint64_t)(((unsigned __int128)next() * limit) >> 64);
}

static int percent(unsigned share) { return below(100) < share; }

// --- output: one buffer, one file

static struct {
  FILE *file;
  char path[4096], part[4096];
  char bytes[1 << 16];
  size_t used;
} out;

static void flush_bytes(void) {
  if (fwrite(out.bytes, 1, out.used, out.file) != out.used)
    fail("cannot write %s: %s", out.part, strerror(errno));
  out.used = 0;
}

static void put_bytes(const char *bytes, size_t count) {
  if (out.used + count > sizeof out.bytes) flush_bytes();
  memcpy(out.bytes + out.used, bytes, count);
  out.used += count;
}

static void put(const char *text) { put_bytes(text, strlen(text)); }

static void put_padded(uint64_t number, int width) {
  char digits[24];
  int at = sizeof digits;
  do digits[--at] = (char)('0' + number % 10), number /= 10, width--;
  while (number != 0 || width > 0);
  put_bytes(digits + at, sizeof digits - (size_t)at);
}

static void put_integer(int64_t number) {
  if (number < 0) put("-");
  put_padded(number < 0 ? (uint64_t)-number : (uint64_t)number, 1);
}

/// Writes number / 10^places as people write decimals: no zeros at the end, but one digit at least.
static void put_decimal(int64_t number, int places) {
  int64_t unit = 1;
  for (int place = 0; place < places; place++) unit *= 10;
  if (number < 0) put("-"), number = -number;
  put_padded((uint64_t)(number / unit), 1);
  int64_t fraction = number % unit;
  while (places > 1 && fraction % 10 == 0) fraction /= 10, places--;
  put(".");
  put_padded((uint64_t)fraction, places);
}

/// Writes text with XML's characters escaped, in an attribute the quotation mark and the line break
/// too.
static void put_escaped(const char *text, int in_attribute) {
  for (; *text != 0; text++) {
    switch (*text) {
      case '&': put("&amp;"); break;
      case '<': put("&lt;"); break;
      case '>': put("&gt;"); break;
      case '"': put(in_attribute ? "&quot;" : "\""); break;
      case '\n': put(in_attribute ? "&#xA;" : "\n"); break;
      default: put_bytes(text, 1);
    }
  }
}

/// As `put_escaped`, with every character beyond ASCII as a numeric reference.
static void put_referenced(const char *text) {
  while (*text != 0) {
    unsigned char lead = (unsigned char)*text;
    if (lead < 0x80) {
      char single[2] = {*text++, 0};
      put_escaped(single, 1);
      continue;
    }
    int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    uint32_t scalar = lead & (0x7fu >> length);
    for (int index = 1; index < length; index++)
      scalar = scalar << 6 | ((unsigned char)text[index] & 0x3fu);
    char reference[16];
    snprintf(reference, sizeof reference, "&#x%X;", scalar);
    put(reference);
    text += length;
  }
}

/// Writes a field as RFC 4180 has it: in quotes where it has to be.
static void put_csv(const char *text) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    put(text);
    return;
  }
  put("\"");
  for (; *text != 0; text++) {
    if (*text == '"') put("\"");
    put_bytes(text, 1);
  }
  put("\"");
}

/// Writes a JSON string; the texts have no control characters.
static void put_json(const char *text) {
  put("\"");
  for (; *text != 0; text++) {
    if (*text == '"' || *text == '\\') put("\\");
    put_bytes(text, 1);
  }
  put("\"");
}

static void open_part(const char *directory, const char *name, uint64_t seed) {
  int length = snprintf(out.path, sizeof out.path, "%s/%s", directory, name);
  if (length < 0 || (size_t)length >= sizeof out.path - sizeof ".part")
    fail("the path of %s is too long", directory);
  snprintf(out.part, sizeof out.part, "%.*s.part", (int)sizeof out.part - 8, out.path);
  out.file = fopen(out.part, "wb");
  if (out.file == NULL) fail("cannot create %s: %s", out.part, strerror(errno));
  out.used = 0;
  state = seed;
}

static void close_part(void) {
  flush_bytes();
  if (fclose(out.file) != 0) fail("cannot write %s: %s", out.part, strerror(errno));
  if (rename(out.part, out.path) != 0) fail("cannot rename %s: %s", out.part, strerror(errno));
}

// --- text made of words

static char text[8192];
static size_t text_used;

static void add(const char *piece) {
  size_t length = strlen(piece);
  if (text_used + length >= sizeof text) fail("a generated text is too long");
  memcpy(text + text_used, piece, length + 1);
  text_used += length;
}

/// Starts the text over with words, each perhaps followed by a tail, one blank between them.
static void make_words(unsigned count) {
  text_used = 0;
  for (unsigned index = 0; index < count; index++) {
    if (index > 0) add(" ");
    add(PICK(words));
    add(PICK(tails));
  }
}

/// Seven in ten words of a post are plain English; the rest is from the other list.
static void add_prose(unsigned count) {
  for (unsigned index = 0; index < count; index++) {
    if (index > 0) add(" ");
    uint64_t pick = below(COUNT(words) + 3 * COUNT(plain_words));
    add(pick < COUNT(words) ? words[pick]
                            : plain_words[(pick - COUNT(words)) % COUNT(plain_words)]);
  }
}

static void make_body(void) {
  size_t target = 250 + below(500), characters = 0;
  text_used = 0;
  while (characters < target) {
    size_t start = text_used;
    uint64_t kind = below(100);
    if (kind < 60) {
      add("<p>"), add_prose(12), add("</p>\n");
    } else if (kind < 80) {
      add("<pre><code>if (a &lt; b &amp;&amp; c) { "), add_prose(12), add("; }\n</code></pre>\n");
    } else {
      char number[16];
      snprintf(number, sizeof number, "%u", (unsigned)below(999));
      add("<p>see <a href=\"https://example.com/q?a=1&amp;b="), add(number);
      add("\" rel=\"nofollow\">"), add_prose(12), add("</a></p>\n");
    }
    for (size_t at = start; at < text_used; at++)
      characters += ((unsigned char)text[at] & 0xc0) != 0x80;
  }
}

// --- dates

/// A day between 1990 and 2025 as dd.MM.yyyy.
static void put_day(void) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  unsigned year = 1990, month = 0, day = (unsigned)below(13000);
  for (;;) {
    unsigned length = (unsigned)lengths[month] + (month == 1 && year % 4 == 0);
    if (day < length) break;
    day -= length;
    if (++month == 12) month = 0, year++;
  }
  put_padded(day + 1, 2), put("."), put_padded(month + 1, 2), put("."), put_padded(year, 4);
}

// --- the corpora

enum format { xml_format, csv_format, ndjson_format };

/// What stands before each value of an event, and behind the last, in each format.
static const char *const event_marks[][6] = {
    [xml_format] = {"  <Event timeStamp=\"", "\" count=\"", "\" value=\"", "\" title=\"",
                    "\" active=\"", "\"/>\n"},
    [csv_format] = {"", ",", ",", ",", ",", "\n"},
    [ndjson_format] = {"{\"timeStamp\": \"", "\", \"count\": ", ", \"value\": ",
                       ", \"title\": ", ", \"active\": ", "}\n"}};

static void put_title(enum format format, uint64_t index) {
  switch (format) {
    case xml_format:
      if (index % 50 == 7) put_referenced(text);
      else put_escaped(text, 1);
      break;
    case csv_format: put_csv(text); break;
    case ndjson_format: put_json(text); break;
  }
}

/// The same events in any format: the random numbers are drawn in the same order.
static void write_events(uint64_t count, enum format format) {
  const char *const *marks = event_marks[format];
  if (format == xml_format) put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Events>\n");
  if (format == csv_format) put("timeStamp,count,value,title,active\n");
  for (uint64_t index = 0; index < count; index++) {
    make_words(2 + (unsigned)below(4));
    put(marks[0]), put_day();
    // Every tenth count needs 64 bits.
    put(marks[1]);
    put_integer(index % 10 != 0 ? (int64_t)below(2000000) - 1000000
                                : (int64_t)below(9000000000000000));
    put(marks[2]), put_decimal((int64_t)below(200000000) - 100000000, 4);
    put(marks[3]), put_title(format, index);
    put(marks[4]), put(percent(50) ? "true" : "false"), put(marks[5]);
  }
  if (format == xml_format) put("</Events>\n");
}

static void write_item(void) {
  put("      <Item sku=\"SKU-"), put_padded(below(99999), 5);
  put("\" qty=\""), put_integer(1 + (int64_t)below(9));
  put("\">\n        <Name>");
  put_escaped(PICK(words), 0), put(" "), put_escaped(PICK(words), 0), put_escaped(PICK(tails), 0);
  put("</Name>\n        <Price>"), put_decimal((int64_t)below(50000), 2);
  put("</Price>\n      </Item>\n");
}

static void write_orders(uint64_t count) {
  static const char *const states[] = {"open", "paid", "shipped", "void"};
  static const char *const countries[] = {"DE", "FR", "JP", "SE", "US"};
  put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Orders>\n");
  for (uint64_t index = 1; index <= count; index++) {
    put("  <Order id=\""), put_integer((int64_t)index);
    put("\" date=\""), put_day();
    put("\" status=\""), put(PICK(states));
    put("\">\n    <Customer country=\""), put(PICK(countries)), put("\">");
    put(PICK(words)), put(" "), put(PICK(words)), put(" "), put_integer((int64_t)below(99999));
    put("</Customer>\n");
    if (percent(30)) {
      make_words(6);
      put("    <Note>"), put_escaped(text, 0), put("</Note>\n");
    }
    put("    <Items>\n");
    for (uint64_t items = 1 + below(5); items > 0; items--) write_item();
    put("    </Items>\n    <Total>"), put_decimal((int64_t)below(500000), 2);
    put("</Total>\n  </Order>\n");
  }
  put("</Orders>\n");
}

static void put_attribute(const char *name, uint64_t value) {
  put(" "), put(name), put("=\""), put_padded(value, 1), put("\"");
}

static void write_question_end(void) {
  static const char *const tags[] = {"xml", "c#", "swift", "c++"};
  text_used = 0;
  add_prose(7);
  put(" Title=\""), put_escaped(text, 1);
  put("\" Tags=\"&lt;sqlite&gt;&lt;"), put(PICK(tags)), put("&gt;\"");
  put_attribute("AnswerCount", below(9));
}

static void write_posts(uint64_t count) {
  static const char *const licences[] = {"2.5", "3.0", "4.0"};
  // The published dumps have a byte order mark and CRLF.
  put("\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<posts>\r\n");
  for (uint64_t index = 1; index <= count; index++) {
    char moment[64];
    snprintf(moment, sizeof moment, "%04u-%02u-%02uT%02u:%02u:%02u.%03u",
             2008 + (unsigned)below(15), 1 + (unsigned)below(12), 1 + (unsigned)below(28),
             (unsigned)below(24), (unsigned)below(60), (unsigned)below(60), (unsigned)below(1000));
    int is_question = percent(40);
    put("  <row"), put_attribute("Id", index), put_attribute("PostTypeId", is_question ? 1 : 2);
    if (!is_question) put_attribute("ParentId", 1 + below(count));
    else if (percent(50)) put_attribute("AcceptedAnswerId", 1 + below(count));
    put(" CreationDate=\""), put(moment);
    put("\" Score=\""), put_integer((int64_t)below(60) - 10), put("\"");
    if (is_question) put_attribute("ViewCount", below(99999));
    make_body();
    put(" Body=\""), put_escaped(text, 1), put("\"");
    if (percent(95)) put_attribute("OwnerUserId", below(50000));
    put(" LastActivityDate=\""), put(moment), put("\"");
    if (is_question) write_question_end();
    put_attribute("CommentCount", below(9));
    put(" ContentLicense=\"CC BY-SA "), put(PICK(licences)), put("\" />\r\n");
  }
  put("</posts>\r\n");
}

void generate(const char *directory, double scale) {
  char stamp[64], kept[64] = "", path[4096];
  snprintf(stamp, sizeof stamp, "corpus %d scale %g\n", corpus_version, scale);
  int length = snprintf(path, sizeof path, "%s/corpus.txt", directory);
  if (length < 0 || (size_t)length >= sizeof path) fail("the path of %s is too long", directory);
  FILE *file = fopen(path, "rb");
  if (file != NULL) {
    size_t count = fread(kept, 1, sizeof kept - 1, file);
    fclose(file);
    kept[count] = 0;
    if (strcmp(kept, stamp) == 0) return;
  }
  if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    fail("cannot create %s: %s", directory, strerror(errno));
  if (unlink(path) != 0 && errno != ENOENT) fail("cannot replace %s: %s", path, strerror(errno));

  static const char *const names[] = {"events.xml", "events.csv", "events.ndjson"};
  for (int format = xml_format; format <= ndjson_format; format++) {
    open_part(directory, names[format], 1);
    write_events((uint64_t)(1000000 * scale), (enum format)format);
    close_part();
  }
  open_part(directory, "orders.xml", 2), write_orders((uint64_t)(200000 * scale)), close_part();
  open_part(directory, "posts.xml", 3), write_posts((uint64_t)(200000 * scale)), close_part();
  // Written last: a folder without it is not whole.
  open_part(directory, "corpus.txt", 0), put(stamp), close_part();
}
