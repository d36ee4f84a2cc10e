#!/usr/bin/env python3
"""Proves that a table holds exactly what a delimited text says, as Python's csv module reads it.

    tables.py FILE DATABASE TABLE [--delimiter C] [--quote C|none] [--no-header] [--encoding NAME]

Every field must be in its column of the row of its record, converted by the type rules or exactly
as written; declared types and NOT NULL must be what the rules say. Prints the first differences;
exit 1 if there is one.
"""

import argparse
import csv
import sqlite3
import sys

import conversion

LIMIT = 20


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def read(path, delimiter=",", quote='"', has_header=True, encoding="utf-8-sig"):
    """The names of the columns and the records; csv.Error and ValueError for what is no table."""
    csv.field_size_limit(1 << 30)
    quoting = {"quoting": csv.QUOTE_NONE} if quote == "none" else {"quotechar": quote}
    with open(path, encoding=encoding, newline="") as file:
        records = list(csv.reader(file, delimiter=delimiter, strict=True, **quoting))
    while records and not records[-1]:
        records.pop()
    while records and not records[0]:
        records.pop(0)
    if not records:
        raise ValueError("no records")
    width = len(records[0])
    # An empty line is the empty value of a single column, and nothing among several.
    records = [record or [""] for record in records if record or width == 1]
    names = records.pop(0) if has_header else ["column%d" % (n + 1) for n in range(width)]
    folded = ["".join(c.lower() if c.isascii() else c for c in name) for name in names]
    if "" in names or len(set(folded)) < width:
        raise ValueError("names are missing or not different")
    if any(len(record) != width for record in records):
        raise ValueError("a record has the wrong number of fields")
    return names, records


def stored(value, declared, column_values):
    """As conversion.stored, and times with a blank between date and time, which stay as they are."""
    if declared == "DATETIME" and conversion.is_iso_time(value.replace(" ", "T", 1)):
        return value
    return conversion.stored(value, declared, column_values)


def differences(connection, table, names, records):
    """What the table has otherwise than these columns and records; a value of None is NULL."""
    info = connection.execute("PRAGMA table_info(%s)" % quoted(table)).fetchall()
    columns = {entry[1]: entry for entry in info}
    own = [entry[1] for entry in info]
    # The generated key stands in front.
    if own not in (names, own[:1] + names):
        return ["table %s has columns %s, not %s" % (table, own, names)]
    found = []
    values = [[record[index] for record in records] for index in range(len(names))]
    converted = []
    for name, column in zip(names, values):
        declared, not_null, is_key = columns[name][2], columns[name][3], columns[name][5]
        present = [value for value in column if value is not None]
        if declared not in conversion.allowed_types(present) and not (
            declared == "DATE" and conversion.slashed_order(present)
        ):
            found.append("column %s is %s" % (name, declared))
        try:
            cells = [
                None if value is None else stored(value, declared, present)
                for value in column
            ]
        except ValueError as error:
            return found + ["column %s: %s" % (name, error)]
        converted.append(cells)
        if not is_key and bool(not_null) != (bool(cells) and None not in cells):
            found.append("column %s is %sNOT NULL" % (name, "" if not_null else "not "))
    key = next(entry[1] for entry in info if entry[5])
    expected = [list(row) for row in zip(*converted)]
    if key in names:
        expected.sort(key=lambda row: row[names.index(key)])
    query = "SELECT %s FROM %s ORDER BY %s" % (
        ", ".join(map(quoted, names)), quoted(table), quoted(key))
    actual = [list(row) for row in connection.execute(query)]
    if len(actual) != len(expected):
        found.append("table %s has %d rows, not %d" % (table, len(actual), len(expected)))
    for number, (row, cells) in enumerate(zip(expected, actual), 1):
        for name, value, cell in zip(names, row, cells):
            if type(value) is not type(cell) or value != cell:
                found.append("row %d, column %s: %r, not %r" % (number, name, cell, value))
    return found


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("database")
    parser.add_argument("table")
    parser.add_argument("--delimiter", default=",")
    parser.add_argument("--quote", default='"')
    parser.add_argument("--no-header", action="store_true")
    parser.add_argument("--encoding", default="utf-8-sig")
    options = parser.parse_args(arguments)
    delimiter = "\t" if options.delimiter == "tab" else options.delimiter
    names, records = read(
        options.file, delimiter, options.quote, not options.no_header, options.encoding)
    connection = sqlite3.connect("file:%s?mode=ro" % options.database, uri=True)
    found = differences(connection, options.table, names, records)
    connection.close()
    for line in found[:LIMIT]:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
