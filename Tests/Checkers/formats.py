#!/usr/bin/env python3
"""Writes the same events in every format, builds each, and has the databases compared.

    formats.py SEED [--count N]

`seed diff` must find no difference between the database built from XML and any other.
"""
import argparse
import csv
import datetime
import gzip
import json
import pathlib
import plistlib
import random
import subprocess
import sys
import tempfile
from xml.sax.saxutils import quoteattr

WORDS = "alpha Zürich 東京 naïve \"quoted\" it's <b>&amp; ; , | 007 tab\there émoji😀 Ελλάδα".split(" ")


def events(count):
    chance = random.Random(20100116)
    start = datetime.date(1990, 1, 1)
    for number in range(count):
        yield {
            "timeStamp": (start + datetime.timedelta(chance.randrange(13000))).strftime("%d.%m.%Y"),
            "count": chance.choice([chance.randrange(-10**6, 10**6), chance.randrange(2**63)]),
            "value": chance.choice([float(chance.randrange(100)), chance.uniform(-1000, 1000)]),
            "title": " ".join(chance.choice(WORDS) for _ in range(1 + number % 4)),
            "active": chance.random() < 0.5,
            "code": "%05d" % chance.randrange(10**5),
        }


def text(value):
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def write(folder, rows):
    """Gives the files by name."""
    names = {}
    def put(name, data):
        names[name] = folder / name
        names[name].write_bytes(data)

    def attribute(value):
        # A tab in an attribute is a blank to XML unless it is written as a reference.
        return quoteattr(text(value), {"\t": "&#9;"})

    lines = ["<Events>"]
    for row in rows:
        lines.append("<Event " + " ".join(f"{k}={attribute(v)}" for k, v in row.items()) + "/>")
    put("events.xml", "\n".join(lines + ["</Events>"]).encode())
    put("events.json", json.dumps(rows, ensure_ascii=False, indent=1).encode())
    put("events.ndjson", "".join(json.dumps(row) + "\n" for row in rows).encode())
    put("binary.plist", plistlib.dumps(rows, fmt=plistlib.FMT_BINARY, sort_keys=False))
    put("text.plist", plistlib.dumps(rows, fmt=plistlib.FMT_XML, sort_keys=False))
    for name, delimiter in (("events.csv", ","), ("events.tsv", "\t"), ("semicolon.csv", ";")):
        with open(folder / name, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=delimiter)
            writer.writerow(rows[0].keys())
            writer.writerows([text(value) for value in row.values()] for row in rows)
        names[name] = folder / name
    for name in ("events.json", "events.csv", "binary.plist"):
        put(name + ".gz", gzip.compress(names[name].read_bytes(), mtime=0))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed")
    parser.add_argument("--count", type=int, default=3000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = write(folder, list(events(options.count)))
        built = {}
        for file, path in files.items():
            built[file] = folder / (file + ".sqlite")
            subprocess.run(
                [options.seed, "build", path, "--table", "Event", "-o", built[file]], check=True)
        failures = 0
        for file in files:
            run = subprocess.run(
                [options.seed, "diff", built["events.xml"], built[file]],
                capture_output=True, text=True)
            if run.returncode != 0:
                failures += 1
                print(f"{file} differs from events.xml:\n{run.stdout}{run.stderr}")
        print(f"{len(files)} files of {options.count} events, {failures} differ")
        sys.exit(1 if failures else 0)


main()
