#!/usr/bin/env python3
"""Prints the rows of a query as SQL literals, one row a line, values with tabs between them.

    query.py DATABASE SQL
"""

import sqlite3
import sys

import dump


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    connection = sqlite3.connect("file:%s?mode=ro" % arguments[0], uri=True)
    for row in connection.execute(arguments[1]):
        sys.stdout.buffer.write("\t".join(dump.literal(value) for value in row).encode() + b"\n")
    connection.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
