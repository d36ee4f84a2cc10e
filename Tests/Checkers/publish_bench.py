"""usage: publish_bench.py SEED BENCHMARKS [--rows N] [--rounds N] [--directory DIR] [--check]

Measures `seed publish` of a database in which one row of a hundred has changed, beside reading all rows
of the old and of the new database once in C (`SeedBenchmarks scan`). The publisher reads both, compares
them and writes the difference; with --check it must not take more than three times as long.
"""

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


def make_database(path, rows):
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, code TEXT, price REAL, stock INTEGER,"
        " note TEXT)")
    connection.executemany(
        "INSERT INTO item VALUES(?, ?, ?, ?, ?, ?)",
        ((id, f"name of row {id}", f"C-{id:08d}", id % 1000 + 0.25, id * 7 % 1000,
          f"a note about row {id} that is somewhat longer") for id in range(1, rows + 1)))
    connection.commit()
    connection.close()


def seconds(command):
    """How long a command takes, and its peak memory in KiB."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, (command, status)
    return time.monotonic() - start, usage.ru_maxrss, output


def measure(options, folder):
    target = os.path.join(folder, "public")
    new = os.path.join(folder, "new.sqlite")
    old = os.path.join(folder, "old.sqlite")
    make_database(new, options.rows)
    publish = [options.seed, "publish", new, "--to", target, "--json"]
    seconds(publish)
    ratios, times, peaks = [], [], []
    for number in range(options.rounds):
        shutil.copyfile(new, old)
        connection = sqlite3.connect(new)
        connection.execute(
            "UPDATE item SET price = ?, note = note || ? WHERE id % 100 = ?",
            (number + 0.5, f", {number}", number))
        connection.commit()
        connection.close()
        plain = sum(
            seconds([options.benchmarks, "scan", path, "item"])[0] for path in (old, new))
        taken, peak, output = seconds(publish)
        result = json.loads(output)
        assert result["rows"] == options.rows // 100, result
        ratios.append(taken / plain)
        times.append((taken, plain))
        peaks.append(peak)
    taken, plain = (statistics.median(column) for column in zip(*times))
    ratio = statistics.median(ratios)
    print(
        f"publish of {options.rows} rows, {options.rows // 100} changed: {taken:.2f} s, peak "
        f"{max(peaks) / 1024:.0f} MiB; reading both in C {plain:.2f} s, ratio {ratio:.2f}")
    return 1 if options.check and ratio > 3 else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed")
    parser.add_argument("benchmarks")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory")
    parser.add_argument("--check", action="store_true", help="exit 1 when the ratio is above 3")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="seed-publish-", dir=options.directory)
    try:
        return measure(options, folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
