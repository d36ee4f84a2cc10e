#!/usr/bin/env python3
"""Proves that a database holds exactly what a document says, by an independent walk.

    walk.py DOCUMENT DATABASE

Every attribute value and every text of the document must be in the right column of the right row
below the right parent, converted by the type rules or exactly as written; nothing else may be in
the database; declared types, keys, references, indexes and NOT NULL must be what the mapping rules
say. Prints the first differences with the lines of the document; exit 1 if there is one.
"""

import sqlite3
import sys

import conversion
import document
import mapping
import objects

LIMIT = 20


class Differences:
    def __init__(self, path):
        self.path, self.count = path, 0

    def add(self, line, message):
        self.count += 1
        if self.count <= LIMIT:
            print("%s:%s: %s" % (self.path, line, message) if line else message)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def is_own(name):
    return not name.lower().startswith(("sqlite_", "_seed"))


def compare_schema(connection, table, by_source, differences):
    """Compares columns; returns the declared type of each column, or None if names differ."""
    line = table.rows[0].element.line if table.rows else None
    info = connection.execute("PRAGMA table_info(%s)" % quoted(table.name)).fetchall()
    columns = list(table.columns.values())
    expected, actual = [column.name for column in columns], [entry[1] for entry in info]
    if expected != actual:
        differences.add(line, "table %s has columns %s, not %s" % (table.name, actual, expected))
        return None
    keys = {
        entry[3]: entry[2]
        for entry in connection.execute("PRAGMA foreign_key_list(%s)" % quoted(table.name))
    }
    indexed = {
        tuple(row[2] for row in connection.execute("PRAGMA index_info(%s)" % quoted(entry[1])))
        for entry in connection.execute("PRAGMA index_list(%s)" % quoted(table.name)).fetchall()
    }
    types = {}
    for (position, column), (_, name, declared, not_null, _, key) in zip(
        table.columns.items(), info
    ):
        where = "column %s of table %s" % (name, table.name)
        types[position] = declared
        if bool(key) != column.is_key:
            differences.add(line, "%s is %sthe key" % (where, "" if key else "not "))
        if column.kind == "parent":
            target = by_source[column.source].name
            if keys.pop(name, None) != target:
                differences.add(line, "%s does not refer to %s" % (where, target))
            if (name,) not in indexed:
                differences.add(line, "%s has no index" % where)
            allowed = {"INTEGER"}
        elif column.is_key:
            allowed = {"INTEGER"}
        else:
            allowed = conversion.allowed_types(column.values)
        if declared not in allowed:
            differences.add(line, "%s is %s, not %s" % (where, declared, "/".join(sorted(allowed))))
        is_filled = len(column.values) == len(table.rows) > 0 and (
            declared in ("TEXT", "BLOB") or "" not in column.values
        )
        if not column.is_key and bool(not_null) != is_filled:
            differences.add(line, "%s is %sNOT NULL" % (where, "" if not_null else "not "))
    for name in keys:
        differences.add(line, "column %s of table %s refers to %s" % (name, table.name, keys[name]))
    return types


def value_of(row, position, column, declared):
    """The stored form that one cell must have; ValueError when the declared type cannot hold it."""
    if position not in row.values:
        return None
    value = row.values[position]
    if column.kind == "parent":
        return value.key
    return conversion.stored(value, declared, column.values)


def is_same(expected, actual):
    return type(expected) is type(actual) and expected == actual


def compare_rows(connection, table, types, differences):
    # By the key's own name: a column may be called rowid.
    query = "SELECT * FROM %s ORDER BY %s" % (quoted(table.name), quoted(table.key.name))
    actual = iter(connection.execute(query))
    for row in sorted(table.rows, key=lambda row: row.key):
        line = row.element.line
        found = next(actual, None)
        if found is None:
            differences.add(line, "table %s has no row for this element" % table.name)
            return
        for (position, column), cell in zip(table.columns.items(), found):
            try:
                expected = value_of(row, position, column, types[position])
            except ValueError as error:
                differences.add(line, "column %s of %s: %s" % (column.name, table.name, error))
                continue
            if not is_same(expected, cell):
                message = "column %s of table %s, row %s, is %r, not %r"
                differences.add(line, message % (column.name, table.name, row.key, cell, expected))
    extra = sum(1 for _ in actual)
    if extra:
        differences.add(None, "table %s has %d rows that the document has not" % (table.name, extra))


def reader_of(path):
    """What reads a document of the name's format."""
    is_of_objects = str(path).endswith((".json", ".ndjson", ".plist"))
    return objects if is_of_objects else document


def walk(document_path, database_path):
    """Compares, prints the differences, and returns how many there are."""
    differences = Differences(document_path)
    tables, _ = mapping.infer(reader_of(document_path).read(document_path))
    by_source = {table.source: table for table in tables}
    connection = sqlite3.connect("file:%s?mode=ro" % database_path, uri=True)
    try:
        names = "SELECT name FROM sqlite_master WHERE type = 'table'"
        present = {name for (name,) in connection.execute(names) if is_own(name)}
        for name in sorted(present - {table.name for table in tables}):
            differences.add(None, "table %s is not in the document" % name)
        for table in tables:
            if table.name not in present:
                line = table.rows[0].element.line if table.rows else None
                differences.add(line, "there is no table %s" % table.name)
                continue
            types = compare_schema(connection, table, by_source, differences)
            if types is not None:
                compare_rows(connection, table, types, differences)
        for finding in connection.execute("PRAGMA foreign_key_check"):
            differences.add(None, "foreign key check: %s" % (finding,))
    finally:
        connection.close()
    if differences.count > LIMIT:
        print("… and %d more differences" % (differences.count - LIMIT))
    return differences.count


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    return 1 if walk(*arguments) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
