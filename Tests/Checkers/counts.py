#!/usr/bin/env python3
"""Compares the row counts of a database with the counts that xmllint finds in the document.

    counts.py DOCUMENT.xml DATABASE

For each table the elements that are its rows are counted by xmllint, a parser of its own, below
the parents where they are records. Exit 1 if a count differs or a table is missing.
"""

import sqlite3
import subprocess
import sys

import document
import mapping


def expression(table, roles):
    """XPath that counts the rows of one table by the local names of element and parent."""
    terms = []
    for (parent, name), role in roles.items():
        if name != table.source or role not in (mapping.RECORD, mapping.CONTAINER):
            continue
        step = "[local-name()='%s' and namespace-uri()='%s']"
        path = "*" + step % (name.local, name[0])
        above = "/" if parent is None else "//*" + step % (parent.local, parent[0]) + "/"
        terms.append("count(%s%s)" % (above, path))
    return " + ".join(terms)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    path, database = arguments
    tables, roles = mapping.infer(document.read(path))
    expressions = [expression(table, roles) for table in tables]
    query = "concat(%s, '')" % ", ' ', ".join(expressions)
    answer = subprocess.run(
        ["xmllint", "--nonet", "--xpath", query, path], check=True, capture_output=True, text=True
    ).stdout.split()
    connection = sqlite3.connect("file:%s?mode=ro" % database, uri=True)
    failures = 0
    for table, expected in zip(tables, answer):
        name = table.name.replace('"', '""')
        try:
            (rows,) = connection.execute('SELECT count(*) FROM "%s"' % name).fetchone()
        except sqlite3.OperationalError as error:
            rows = error
        if str(rows) != expected:
            failures += 1
            print("table %s: xmllint counts %s elements, rows: %s" % (table.name, expected, rows))
    if len(answer) != len(tables):
        failures += 1
        print("xmllint gave %d counts for %d tables" % (len(answer), len(tables)))
    connection.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
