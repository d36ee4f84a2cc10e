#!/usr/bin/env python3
"""Checks that a project file of `seed init` builds what a build without one does.

    random_projects.py SEED [--format FORMAT] [--first N] [--count N] [--seconds N] [--keep DIR]

Set number N of documents is the same on every machine: one random document, or two beside each other,
which share tables. They are built as they stand, and again by the project file that `seed init` writes
for them: tables, columns, their order and types, indexes and all rows in their order must be the same,
and `seed diff` must say so. Prints each failure with the number of its set; exit 1 if there is one.

The format is xml, json, ndjson, plist (in XML), bplist (binary), csv, or mixed.
"""

import argparse
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

import random_objects
import random_tables
import random_trees

FORMATS = ["xml", "json", "ndjson", "plist", "bplist", "csv"]
OPTIONS = [[]] * 6 + [
    ["--table", "id"], ["--date-format", "dd/MM/yyyy"], ["--date-format", "M/d/yyyy"],
    ["--time-zone", "+01:00"],
]


def documents(number, kind):
    """The documents of a set, by their names, and options about how to read them."""
    rng = random.Random(number)
    if kind == "csv":
        text, delimiter, has_header, _ = random_tables.make(number)
        more = ["--delimiter", delimiter] + ([] if has_header else ["--no-header"])
        return {"table.csv": text.encode("utf-8", "surrogatepass")}, more + rng.choice(OPTIONS)
    result = {}
    for name in ["first", "second"][: rng.choice([1, 1, 1, 2])]:
        own = rng.choice(FORMATS[:-1]) if kind == "mixed" else kind
        data = random_trees.short(rng).encode() if own == "xml" else random_objects.data(rng, own)
        result[name + "." + own.removeprefix("b")] = data
    return result, rng.choice(OPTIONS)


def contents(path):
    """The statements that make a database, and the rows of its tables.

    Indexes are made at other times in a build with a project file, which nobody sees.
    """
    connection = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    try:
        schema = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
        schema.sort(key=lambda item: (item[0] == "index", item[0] == "index" and item[1]))
        return schema, {
            name: connection.execute('SELECT * FROM "%s"' % name.replace('"', '""')).fetchall()
            for kind, name, _, _ in schema
            if kind == "table" and name != "_seed"
        }
    finally:
        connection.close()


class Trial:
    """The two builds of one set of documents, in a folder of their own."""

    def __init__(self, seed, folder):
        self.seed, self.folder = str(pathlib.Path(seed).resolve()), pathlib.Path(folder)

    def run(self, *arguments):
        command = [self.seed, *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, check=False)

    def failures(self, files, more):
        """What differs; empty if nothing does."""
        for name, data in files.items():
            (self.folder / name).write_bytes(data)
        direct = self.run("build", *files, "-o", "direct.sqlite", *more)
        begun = self.run("init", *files, "-o", "x.seed.json", "--force", *more)
        if direct.returncode != 0:
            same = begun.returncode == direct.returncode
            return [] if same else ["init: exit %d, build: %s" % (begun.returncode, direct.stderr)]
        if begun.returncode != 0:
            return ["init: exit %d: %s" % (begun.returncode, begun.stderr.decode())]
        ruled = self.run("build", "--config", "x.seed.json", "-o", "ruled.sqlite")
        if ruled.returncode != 0:
            return ["exit %d: %s" % (ruled.returncode, ruled.stderr.decode())]
        return self.differences()

    def differences(self):
        (schema, tables), (ruled_schema, ruled_tables) = (
            contents(self.folder / name) for name in ("direct.sqlite", "ruled.sqlite")
        )
        found = []
        for number in range(max(len(schema), len(ruled_schema))):
            pair = [
                each[number][3] if number < len(each) else None for each in (schema, ruled_schema)
            ]
            if pair[0] != pair[1]:
                found.append("the schema has %s, and with the project file %s" % tuple(pair))
                break
        for name in tables.keys() & ruled_tables.keys():
            if repr(tables[name]) != repr(ruled_tables[name]):
                found.append("the rows of %s differ" % name)
        compared = self.run("diff", "direct.sqlite", "ruled.sqlite")
        if compared.returncode != 0:
            found.append("diff: " + (compared.stdout + compared.stderr).decode())
        return found


def check(options):
    failed = done = 0
    stop = time.monotonic() + options.seconds if options.seconds else None
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(options.seed, folder)
        for number in range(options.first, options.first + options.count):
            if stop and time.monotonic() > stop:
                break
            done += 1
            files, more = documents(number, options.format)
            found = trial.failures(files, more)
            if not found:
                continue
            failed += 1
            print("set %d:" % number)
            print("\n".join("    " + line for line in found[:8]), flush=True)
            if options.keep:
                kept = pathlib.Path(options.keep) / ("%s-%d" % (options.format, number))
                kept.mkdir(parents=True, exist_ok=True)
                for name, data in files.items():
                    (kept / name).write_bytes(data)
    print("%d sets, %d failed" % (done, failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed")
    parser.add_argument("--format", default="mixed", choices=[*FORMATS, "mixed"])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, help="start no set after this time")
    parser.add_argument("--keep", metavar="DIR", help="where documents that failed are kept")
    return check(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
