"""usage: stream_memory.py SEED [--rows N] [--directory DIR] [--only NAME]

Measures the peak memory of `seed stream` and the longest write-ahead log beside it, for N rows (default
10 million) in one segment (`one`), in 200 segments (`many`), in a snapshot that is merged into an empty
table (`snapshot`), and for rows of 64 KiB (`wide`). Exit code 1 when the memory is more than 64 MiB over
that of a run with nothing to do.
"""

import argparse
import gzip
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from stream_bench import COLUMNS, make_database, schema_digest, write_head, write_segment

MOST_MEBIBYTES = 64
SEGMENTS = 200
WIDE_BYTES = 64 << 10


def measure(command, environment, log):
    """Seconds, peak KiB of memory, and the most bytes of the log."""
    longest, is_over = [0], threading.Event()

    def watch():
        while not is_over.wait(0.01):
            try:
                longest[0] = max(longest[0], os.path.getsize(log))
            except OSError:
                continue

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    is_over.set()
    watcher.join()
    assert status == 0, (command, status)
    return seconds, usage.ru_maxrss, longest[0]


def write_snapshot(folder, rows):
    """Writes a head whose only way is a snapshot with all rows."""
    path = os.path.join(folder, "snapshot.tmp")
    make_database(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(
        """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?)
        INSERT INTO item SELECT i, 'name of row ' || i, printf('C-%08d', i), i % 1000 + 0.25,
          i * 7 % 1000, 'a note about row ' || i || ' that is somewhat longer' FROM n""", (rows,))
    connection.execute("UPDATE _seed_stream SET seq = 2, id = 'id-2'")
    connection.commit()
    connection.close()
    plain = os.path.getsize(path)
    packed = path + ".gz"
    with open(path, "rb") as source, gzip.GzipFile(packed, "wb", compresslevel=1, mtime=0) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    os.unlink(path)
    with open(packed, "rb") as file:
        name = hashlib.file_digest(file, "sha256").hexdigest()
    size = os.path.getsize(packed)
    os.makedirs(os.path.join(folder, "o", name[:2]), exist_ok=True)
    os.rename(packed, os.path.join(folder, "o", name[:2], name))
    head = {"format": 1, "stream": "items", "epoch": 1, "seq": 2, "id": "id-2",
            "schema": {"item": {"key": ["id"], "columns": COLUMNS}}, "segments": [],
            "snapshot": {"seq": 2, "id": "id-2", "sha256": name, "size": size, "plain_size": plain,
                         "encoding": "gzip"}}
    with open(os.path.join(folder, "head.json"), "w", encoding="utf-8") as file:
        json.dump(head, file)


def write_source(name, folder, rows):
    """Writes the source of a case; returns how many rows it has."""
    if name == "snapshot":
        write_snapshot(folder, rows)
    elif name == "one":
        write_head(folder, [write_segment(folder, rows, 1)])
    elif name == "many":
        each = rows // SEGMENTS
        write_head(folder, [write_segment(folder, each, number, first=1 + (number - 1) * each)
                            for number in range(1, SEGMENTS + 1)])
        rows = each * SEGMENTS
    else:
        rows //= 500
        write_head(folder, [write_segment(folder, rows, 1, width=WIDE_BYTES)])
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--directory")
    parser.add_argument("--only", choices=["one", "many", "snapshot", "wide"])
    options = parser.parse_args()
    assert len(schema_digest()) == 16
    worst = 0
    for name in [options.only] if options.only else ["one", "many", "snapshot", "wide"]:
        folder = tempfile.mkdtemp(prefix="seed-memory-", dir=options.directory)
        try:
            worst = max(worst, case(name, folder, options))
        finally:
            shutil.rmtree(folder)
    return 1 if worst > MOST_MEBIBYTES else 0


def case(name, folder, options):
    """Measures one case; returns the mebibytes over a run with nothing to do."""
    source, app = os.path.join(folder, "source"), os.path.join(folder, "app.sqlite")
    os.mkdir(source)
    rows = write_source(name, source, options.rows)
    make_database(app)
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    command = [options.seed, "stream", app, "--once", "--source", source]
    seconds, peak, log = measure(command, environment, app + "-wal")
    connection = sqlite3.connect(app)
    assert connection.execute("SELECT count(*) FROM item").fetchone() == (rows,)
    connection.close()
    size = os.path.getsize(app)
    # Now it is current: what the program takes for that is what it takes when idle.
    idle = measure(command, environment, app + "-wal")[1]
    over = (peak - idle) / 1024
    print(f"{name}: {rows} rows, {size >> 20} MiB of database, {seconds:.1f} s, peak "
          f"{peak / 1024:.1f} MiB, {over:.1f} over idle, log {log >> 20} MiB", flush=True)
    return over


if __name__ == "__main__":
    sys.exit(main())
