"""usage: stream_bench.py SEED BENCHMARKS [--rows N] [--rounds N] [--directory DIR]

Measures `seed stream` on one segment of many rows beside plain prepared upserts of the same rows in C
(`SeedBenchmarks upserts`): inserts into an empty table, updates of all rows, and the same segment once
more, which must write nothing. Both start from the same database; the medians and the median of the
ratios are printed, and the peak memory.
"""

import argparse
import hashlib
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
import zlib

COLUMNS = {"id": "INTEGER", "name": "TEXT", "code": "TEXT", "price": "REAL", "stock": "INTEGER",
           "note": "TEXT"}


def text(value):
    return json.dumps(value, separators=(",", ":"))


def schema_digest():
    columns = sorted([name, COLUMNS[name]] for name in COLUMNS)
    return hashlib.sha256((text(["item", ["id"], columns]) + "\n").encode()).hexdigest()[:16]


def write_segment(folder, rows, number, first=1, width=0):
    """Writes a segment with the rows of a round from a key on; returns its entry in the head.

    A width makes the notes so long, of letters that gzip cannot make nothing of.
    """
    path = os.path.join(folder, "segment.tmp")
    packing = zlib.compressobj(1, zlib.DEFLATED, 31)
    size = plain = 0
    digest = hashlib.sha256()
    with open(path, "wb") as file:
        def write(data, is_last=False):
            nonlocal size, plain
            plain += len(data)
            packed = packing.compress(data) + (packing.flush() if is_last else b"")
            digest.update(packed)
            size += len(packed)
            file.write(packed)

        write((text({"segment": 1, "stream": "items", "epoch": 1, "from": number, "to": number + 1,
                     "ids": [f"id-{number}", f"id-{number + 1}"]}) + "\n"
               + text({"table": "item", "upsert": list(COLUMNS)}) + "\n").encode())
        lines = []
        for row in range(first, first + rows):
            note = (os.urandom(width // 2).hex() if width
                    else f"a note about row {row} that is somewhat longer, {number}")
            lines.append(
                f'[{row},"name of row {row}","C-{row:08d}-{number}",{row % 1000}.25,'
                f'{row * 7 % 1000},"{note}"]\n')
            if len(lines) == 10000 or width:
                write("".join(lines).encode())
                lines = []
        write(("".join(lines) + text({"end": {"rows": rows}}) + "\n").encode(), is_last=True)
    name = digest.hexdigest()
    os.makedirs(os.path.join(folder, "o", name[:2]), exist_ok=True)
    os.rename(path, os.path.join(folder, "o", name[:2], name))
    return {"from": number, "to": number + 1, "sha256": name, "size": size, "plain_size": plain,
            "rows": rows}


def write_head(folder, segments):
    head = {"format": 1, "stream": "items", "epoch": 1, "seq": segments[-1]["to"],
            "id": f"id-{segments[-1]['to']}",
            "schema": {"item": {"key": ["id"], "columns": COLUMNS}}, "segments": segments}
    with open(os.path.join(folder, "head.json"), "w", encoding="utf-8") as file:
        json.dump(head, file)


def make_database(path):
    connection = sqlite3.connect(path)
    connection.executescript("""
        PRAGMA journal_mode = WAL;
        CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, code TEXT, price REAL, stock INTEGER,
          note TEXT);
        CREATE TABLE _seed_stream(stream TEXT PRIMARY KEY, epoch INTEGER NOT NULL,
          seq INTEGER NOT NULL, id TEXT NOT NULL, cursor TEXT, schema TEXT NOT NULL,
          applied_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE _seed_stream_table(stream TEXT NOT NULL, "table" TEXT NOT NULL,
          key TEXT NOT NULL, columns TEXT NOT NULL, PRIMARY KEY(stream, "table")) WITHOUT ROWID;
        """)
    connection.execute("INSERT INTO _seed_stream VALUES ('items', 1, 1, 'id-1', NULL, ?, 0)",
                       (schema_digest(),))
    connection.execute("INSERT INTO _seed_stream_table VALUES ('items', 'item', ?, ?)",
                       (text(["id"]), text(list(COLUMNS))))
    connection.commit()
    connection.close()


def timed(command, environment=None):
    """Seconds and peak KiB of a command."""
    start = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, (command, status)
    return time.monotonic() - start, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed")
    parser.add_argument("benchmarks")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="seed-bench-", dir=options.directory)
    try:
        measure(options, folder)
    finally:
        shutil.rmtree(folder)


def measure(options, folder):
    source = os.path.join(folder, "source")
    os.makedirs(source)
    segments = [write_segment(source, options.rows, number) for number in (1, 2)]
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    app, plain = os.path.join(folder, "app.sqlite"), os.path.join(folder, "plain.sqlite")
    stream = [options.seed, "stream", app, "--once", "--source", source]
    results = {"insert": [], "update": [], "again": []}
    for _ in range(options.rounds):
        for path in (app, plain):
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(path + suffix):
                    os.unlink(path + suffix)
            make_database(path)
        for number, name in ((1, "insert"), (2, "update")):
            write_head(source, segments[:number])
            ours = timed(stream, environment)
            theirs = timed([options.benchmarks, "upserts", plain, str(options.rows), str(number)])
            results[name].append((ours, theirs))
        connection = sqlite3.connect(app)
        connection.execute("UPDATE _seed_stream SET seq = 2, id = 'id-2'")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # Kept open, so that the log is not deleted by the run.
        ours = timed(stream, environment)
        log = os.path.getsize(app + "-wal")
        connection.close()
        results["again"].append((ours, (log, 0)))
    idle = timed([options.seed, "--version"])[1]
    for name, pairs in results.items():
        seconds = statistics.median(ours[0] for ours, _ in pairs)
        memory = max(ours[1] for ours, _ in pairs)
        line = (f"{name}: {options.rows / seconds / 1000:.0f} k rows/s, {seconds:.2f} s, "
                f"peak {memory / 1024:.0f} MiB, {(memory - idle) / 1024:.0f} over idle")
        if name == "again":
            line += f", log {max(theirs[0] for _, theirs in pairs)} bytes"
        else:
            plain_seconds = statistics.median(theirs[0] for _, theirs in pairs)
            ratio = statistics.median(theirs[0] / ours[0] for ours, theirs in pairs)
            line += f"; plain in C {options.rows / plain_seconds / 1000:.0f} k rows/s, rate {ratio:.2f}"
        print(line)


if __name__ == "__main__":
    main()
