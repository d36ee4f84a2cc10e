#!/usr/bin/env python3
"""Builds random documents and checks each database by the independent walk of walk.py.

    random_documents.py SEED [--format FORMAT] [--first N] [--count N] [--seconds N]
                        [--mebibytes X] [--keep DIR]
    random_documents.py --write DIR [--format FORMAT] [--first N] [--count N]

Document number N is the same on every machine. Each is a random tree over few names, so that
columns, wrappers, records, recursion, mixed content, keys and clashes of names come and go; with
--mebibytes it has that many MiB of uniform records, and something that contradicts them late. Each
is built from the file and every fifth also through a pipe, packed, and again over the first output:
the bytes must be the same. Every third is built with the schema that `seed schema` prints of it, too:
the content must be the same. The databases must be what `walk.py` says, sound by SQLite's own checks
and by `seed verify`. Prints each failure with the number of its document; exit 1 if there is one.

The format is xml, json, ndjson, plist (in XML) or bplist (binary); --mebibytes is for XML only.
--write only writes the documents: N.xml in DIR.
"""

import argparse
import contextlib
import gzip
import io
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

import random_objects
import random_trees
import walk


def run(arguments, **options):
    return subprocess.run(arguments, capture_output=True, check=False, **options)


class Trial:
    """The builds and checks of one document."""

    def __init__(self, seed, folder, kind):
        self.seed, self.folder = seed, pathlib.Path(folder)
        self.format = kind.removeprefix("b")
        # What comes through a pipe has this name too.
        self.input = self.folder / ("record." + self.format)

    def build(self, source, output, more=(), **options):
        """The bytes that a build gives, or what is wrong with it."""
        made = self.folder / output
        outcome = run([self.seed, "build", source, "-o", str(made), *more], **options)
        if outcome.returncode != 0:
            message = outcome.stderr.decode(errors="replace").strip()
            return None, "exit %d: %s" % (outcome.returncode, message)
        if outcome.stdout:
            return None, "standard output: %r" % outcome.stdout
        return made.read_bytes(), None

    def schema_failures(self):
        """What is wrong with a build into the schema that the document itself gives."""
        script = self.folder / "schema.sql"
        printed = run([self.seed, "schema", str(self.input)])
        if printed.returncode != 0:
            return ["schema: %s" % printed.stderr.decode(errors="replace")]
        script.write_bytes(printed.stdout)
        _, failure = self.build(str(self.input), "filled.sqlite", ["--schema", str(script)])
        if failure:
            return ["build into its own schema: %s" % failure]
        compared = run(
            [self.seed, "diff", str(self.folder / "made.sqlite"), str(self.folder / "filled.sqlite")]
        )
        if compared.returncode == 0:
            return []
        return ["diff of a build into its own schema: %s" % compared.stdout.decode(errors="replace")]

    def failures(self, data, is_thorough, has_schema):
        """What is wrong with the database of a document; empty if nothing is."""
        self.input.write_bytes(data)
        first, failure = self.build(str(self.input), "made.sqlite")
        if failure:
            return [failure]
        found = self.differences() + self.unsoundness()
        if has_schema:
            found += self.schema_failures()
        if is_thorough:
            packed = self.folder / (self.input.name + ".gz")
            packed.write_bytes(gzip.compress(data, 1, mtime=0))
            ways = {
                "again": self.build(str(self.input), "made.sqlite"),
                "pipe": self.build("-", "piped.sqlite", ["--format", self.format], input=data),
                "packed": self.build(str(packed), "packed.sqlite"),
            }
            found += [
                "%s: %s" % (way, failure or "the bytes differ")
                for way, (made, failure) in ways.items()
                if made != first
            ]
            verified = run([self.seed, "verify", str(self.folder / "made.sqlite")])
            if verified.returncode != 0:
                found.append("verify: %s" % verified.stdout.decode())
        return found

    def differences(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            walk.walk(str(self.input), str(self.folder / "made.sqlite"))
        return printed.getvalue().splitlines()

    def unsoundness(self):
        connection = sqlite3.connect("file:%s?mode=ro" % (self.folder / "made.sqlite"), uri=True)
        try:
            expected = {"integrity_check": [("ok",)], "freelist_count": [(0,)]}
            found = {name: connection.execute("PRAGMA " + name).fetchall() for name in expected}
            return [
                "%s: %s" % (name, found[name])
                for name in expected
                if found[name] != expected[name]
            ]
        finally:
            connection.close()


def document(number, options):
    """The bytes of a document."""
    rng = random.Random(number)
    if options.format != "xml":
        return random_objects.data(rng, options.format)
    mebibytes = options.mebibytes
    text = random_trees.long(rng, mebibytes) if mebibytes else random_trees.short(rng)
    return text.encode()


def name(number, options):
    return "%d.%s" % (number, options.format.removeprefix("b"))


def check(options):
    failed = done = 0
    stop = time.monotonic() + options.seconds if options.seconds else None
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(options.seed, folder, options.format)
        for number in range(options.first, options.first + options.count):
            if stop and time.monotonic() > stop:
                break
            data = document(number, options)
            done += 1
            is_long = bool(options.mebibytes)
            found = trial.failures(data, number % 5 == 0 or is_long, number % 3 == 0 or is_long)
            if not found:
                continue
            failed += 1
            print("document %d:" % number)
            print("\n".join("    " + line for line in found[:8]), flush=True)
            if options.keep:
                (pathlib.Path(options.keep) / name(number, options)).write_bytes(data)
    print("%d documents, %d failed" % (done, failed))
    return 1 if failed else 0


def write(options):
    for number in range(options.first, options.first + options.count):
        path = pathlib.Path(options.write) / name(number, options)
        path.write_bytes(document(number, options))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed", nargs="?")
    parser.add_argument(
        "--format", default="xml", choices=["xml", "json", "ndjson", "plist", "bplist"]
    )
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, help="start no document after this time")
    parser.add_argument("--mebibytes", type=float, default=0)
    parser.add_argument("--keep", metavar="DIR", help="where documents that failed are kept")
    parser.add_argument("--write", metavar="DIR")
    options = parser.parse_args()
    if bool(options.seed) == bool(options.write):
        parser.error("give either the tool or --write")
    return write(options) if options.write else check(options)


if __name__ == "__main__":
    sys.exit(main())
