#!/usr/bin/env python3
"""Canonical dump of an SQLite database: equal dumps mean equal schema and equal content.

    dump.py DATABASE                  print the dump
    dump.py DATABASE EXPECTED.sql     compare with a golden dump; exit 1 and a diff if they differ

The dump is SQL that SQLite can run: tables, then indexes, triggers and views, each in the order of
their names with white space normalised; then the rows of every table in the order of rowid, with
literals that keep type and value. Tables of the tool itself (`_seed…`) and of SQLite
(`sqlite_…`) are left out, and so are the metadata of a Core Data store, which hold the tool's stamp,
and lines of a golden dump that begin with `--`.
"""

import difflib
import pathlib
import re
import sqlite3
import sys

RANK = {"table": 0, "index": 1, "trigger": 2, "view": 3}


def normalised(sql):
    """Collapses white space outside quotes, and drops it after `(` and before `)` and `,`."""
    pieces = re.split(r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\])""", sql)
    for position in range(0, len(pieces), 2):
        pieces[position] = re.sub(r"\s+", " ", pieces[position])
        pieces[position] = re.sub(r"\( ", "(", pieces[position])
        pieces[position] = re.sub(r" ([),])", r"\1", pieces[position])
    return "".join(pieces).strip()


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(value):
    """The value as SQL; text is cut at control characters, which become char(n)."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return "X'" + value.hex().upper() + "'"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return "9e999" if value > 0 else "-9e999"
        return repr(value)
    pieces = re.split(r"([\x00-\x1f\x7f])", value)
    terms = [
        "char(%d)" % ord(piece) if position % 2 else "'" + piece.replace("'", "''") + "'"
        for position, piece in enumerate(pieces)
        if piece
    ]
    return " || ".join(terms) or "''"


def is_internal(name):
    return name.lower().startswith(("sqlite_", "_seed"))


def dump(path):
    """The canonical dump of the database at `path`, as a list of lines."""
    connection = sqlite3.connect("file:%s?mode=ro" % str(path).replace("?", "%3f"), uri=True)
    try:
        objects = [
            (kind, name, sql)
            for kind, name, table, sql in connection.execute(
                "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL"
            )
            if not is_internal(name) and not is_internal(table)
        ]
        objects.sort(key=lambda entry: (RANK[entry[0]], entry[1]))
        lines = [normalised(sql) + ";" for _, _, sql in objects]
        for kind, name, _ in objects:
            if kind != "table" or name == "Z_METADATA":
                continue
            for row in connection.execute("SELECT * FROM %s ORDER BY rowid" % quoted(name)):
                values = ",".join(literal(value) for value in row)
                lines.append("INSERT INTO %s VALUES (%s);" % (quoted(name), values))
        return lines
    finally:
        connection.close()


def golden(path):
    """The lines of a golden dump, without its comments."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").split("\n")
    return [line for line in lines if line and not line.startswith("--")]


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 64
    actual = dump(arguments[0])
    if len(arguments) == 1:
        print("\n".join(actual))
        return 0
    difference = list(
        difflib.unified_diff(golden(arguments[1]), actual, arguments[1], "the database", lineterm="")
    )
    for line in difference:
        print(line)
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
