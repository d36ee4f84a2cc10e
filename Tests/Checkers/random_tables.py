#!/usr/bin/env python3
"""Builds random delimited texts and compares each database with what Python's csv module reads.

    random_tables.py SEED [--first N] [--count N] [--seconds N] [--keep DIR]

Text number N is the same on every machine. Half of them are written by csv.writer in a random
dialect; the others are then broken somewhere, and must be read alike or be refused for a reason that
the csv module confirms. Every fifth is also built through a pipe and packed, to the same bytes, and
with the schema that `seed schema` prints of it, to the same content.
Prints each failure with the number of its text; exit 1 if there is one.
"""

import argparse
import csv
import gzip
import io
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

import random_trees
import tables

NAMES = ["id", "ID", "name", "größe", "q, x", "semi;colon", "a\nb", '"', "select", "x y", "text",
         "rowid", "_id", "tab\tbed", "e\u0301", "é", "|", "table"]
PIECES = ["", " ", ",", ";", "\t", "|", '"', '""', "\n", "\r\n", "\r", "'", "#", "\\", "x", "é", "日本",
          "😀", "NULL", "0123456789", "\ufeff"]
FORMS = [name for name in random_trees.FORM_NAMES if random_trees.FORMS[name]]


def value(rng, form):
    if form == "pieces":
        return "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 5)))
    return random_trees.FORMS[form](rng)


def make(number):
    """A text with how it is to be read: (text, delimiter, is_declared, has_header, is_broken)."""
    rng = random.Random(number)
    names = rng.sample(NAMES, rng.randint(1, 6))
    forms = [rng.choice(FORMS + ["pieces"] * 8) for _ in names]
    delimiter = rng.choice(",,,;\t|")
    has_header = rng.random() < 0.8
    out = io.StringIO()
    writer = csv.writer(
        out, delimiter=delimiter, lineterminator=rng.choice(["\n", "\r\n", "\r"]),
        quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    if has_header:
        writer.writerow(names)
    for _ in range(rng.randint(0 if has_header else 1, 30)):
        noise = rng.random() < 0.03
        writer.writerow([value(rng, "pieces" if noise else form) for form in forms])
    text = ("\ufeff" if rng.random() < 0.2 else "") + out.getvalue()
    is_broken = rng.random() < 0.5
    if is_broken and text:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", '"', delimiter, "\n", " "]) + text[at + rng.randint(0, 2):]
    return text, delimiter, has_header, is_broken


class Trial:
    def __init__(self, seed, folder):
        self.seed, self.folder = seed, pathlib.Path(folder)

    def run(self, source, output, layout, **options):
        command = [self.seed, "build", source, "-o", str(self.folder / output), "--format", "csv",
                   "--table", "t", *layout]
        return subprocess.run(command, capture_output=True, check=False, **options)

    def schema_failures(self, source, made, layout):
        """What is wrong with a build into the schema that the text itself gives."""
        command = [self.seed, "schema", str(source), "--format", "csv", "--table", "t", *layout]
        printed = subprocess.run(command, capture_output=True, check=True)
        script = self.folder / "schema.sql"
        script.write_bytes(printed.stdout)
        filled = self.run(str(source), "filled.sqlite", [*layout, "--schema", str(script)])
        if filled.returncode != 0:
            return ["build into its own schema: %s" % filled.stderr.decode()]
        compared = subprocess.run(
            [self.seed, "diff", str(made), str(self.folder / "filled.sqlite")],
            capture_output=True, text=True, check=False)
        return [] if compared.returncode == 0 else ["its own schema: %s" % compared.stdout]

    def failures(self, number):
        text, delimiter, has_header, is_broken = make(number)
        data = text.encode("utf-8", "surrogatepass")
        source = self.folder / "input.csv"
        source.write_bytes(data)
        made = self.folder / "made.sqlite"
        layout = ["--delimiter", delimiter] + ([] if has_header else ["--no-header"])
        made.unlink(missing_ok=True)
        outcome = self.run(str(source), "made.sqlite", layout)
        try:
            names, records = tables.read(source, delimiter, has_header=has_header)
            reason = None
        except (csv.Error, ValueError) as error:
            reason = error
        # The csv module takes a quote inside of a field for a character, and writes a carriage return
        # without quotes.
        is_quote = is_broken and b"a quote stands inside" in outcome.stderr
        if outcome.returncode == 65 and (reason or is_quote):
            return []
        if outcome.returncode != 0:
            return ["exit %d: %s" % (outcome.returncode, outcome.stderr.decode())]
        if reason:
            return ["read, although: %s" % reason]
        connection = sqlite3.connect("file:%s?mode=ro" % made, uri=True)
        found = tables.differences(connection, "t", names, records)
        connection.close()
        if number % 5 == 0:
            packed = self.folder / "input.csv.gz"
            packed.write_bytes(gzip.compress(data, 1, mtime=0))
            self.run("-", "piped.sqlite", layout, input=data)
            self.run(str(packed), "packed.sqlite", layout)
            found += [
                "%s: the bytes differ" % name
                for name in ("piped.sqlite", "packed.sqlite")
                if (self.folder / name).read_bytes() != made.read_bytes()
            ]
            found += self.schema_failures(source, made, layout)
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, help="start no text after this time")
    parser.add_argument("--keep", metavar="DIR", help="where texts that failed are kept")
    options = parser.parse_args()
    failed = done = 0
    stop = time.monotonic() + options.seconds if options.seconds else None
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(options.seed, folder)
        for number in range(options.first, options.first + options.count):
            if stop and time.monotonic() > stop:
                break
            done += 1
            found = trial.failures(number)
            if not found:
                continue
            failed += 1
            print("text %d:" % number)
            print("\n".join("    " + line for line in found[:8]), flush=True)
            if options.keep:
                path = pathlib.Path(options.keep) / ("%d.csv" % number)
                path.write_text(make(number)[0], encoding="utf-8", newline="")
    print("%d texts, %d failed" % (done, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
