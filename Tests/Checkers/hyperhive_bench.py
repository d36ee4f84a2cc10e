#!/usr/bin/env python3
"""Loads a table answer of a HyperHive server with the real program, beside the same rows as NDJSON.

    hyperhive_bench.py SEED [--probe PROGRAM] [--rows N] [--rounds N] [--directory DIR]

SEED is a release build, and so is PROGRAM, which is SeedStreamProbe: with it, what is measured is the load in
an app instead of the build of a database. A server on loopback sends one table of N rows (default 10,000,000) in chunks,
as the vendor's servers do. `seed build` from the server, or the load, and `seed build` of an NDJSON file
with the same rows run in turn; the rates by the clock, the processor seconds, the median of the ratios, and the peak of
memory over that of a table with one row are printed. Exits 1 when the answer is loaded at less than half the
rate of the file, when memory is more than 64 MiB over idle, or when the rows differ. On a busy machine the
rate says little, since a file is loaded on two processors, and what else runs takes them away; the ratio of
processor seconds is printed, too.
"""

import argparse
import contextlib
import http.server
import json
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

LEAST_RATIO = 0.5
MOST_MEBIBYTES = 64
PIECE = 8 << 20
COLUMNS = [{"name": "id", "type": "BIGINT", "key": True}, {"name": "price", "type": "DOUBLE"},
           {"name": "stock", "type": "BIGINT"}, {"name": "name", "type": "TEXT"}]
TABLE = "fruits_list"


def values(number):
    return number, "%d.25" % (number % 1000), number * 7 % 1000, '"fruit number %d"' % number


def write_files(folder, rows):
    """Writes the answers with all rows and with one, and the file."""
    for name, count in (("whole.json", rows), ("one.json", 1)):
        with open(folder / name, "w") as file:
            file.write('[{"name":"list","data":[')
            for number in range(1, count + 1):
                file.write((",[" if number > 1 else "[") + "%d,%s,%d,%s]" % values(number))
            file.write("]}]")
    with open(folder / "list.ndjson", "w") as file:
        for number in range(1, rows + 1):
            file.write('{"id":%d,"price":%s,"stock":%d,"name":%s}\n' % values(number))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        schema = {"fruits": {"name": "fruits", "type": "tabular",
                             "output": {"list": {"columns": COLUMNS}}}}
        self.answer(json.dumps(schema).encode())

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if "auth" in self.path:
            return self.answer(b'{"token":"t"}')
        self.send_response(200)
        for name, value in (("ETag", '"1"'), ("Content-Version", "v1"),
                            ("Transfer-Encoding", "chunked")):
            self.send_header(name, value)
        self.end_headers()
        # The kernel copies the bytes: this program shares the processors with what is measured.
        with open(self.server.document, "rb") as file:
            size = os.path.getsize(self.server.document)
            for start in range(0, size, PIECE):
                count = min(PIECE, size - start)
                self.wfile.write(b"%x\r\n" % count)
                self.connection.sendfile(file, start, count)
                self.wfile.write(b"\r\n")
        self.wfile.write(b"0\r\n\r\n")


def run(program, folder, *arguments):
    """Runs the program; returns seconds, processor seconds and MiB."""
    start = time.monotonic()
    process = subprocess.Popen([program, *arguments], cwd=folder, stdout=sys.stderr)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("%s exits with %d" % (program, process.returncode))
    return (time.monotonic() - start, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024)


def content(path, table):
    with sqlite3.connect("file:%s?mode=ro" % path, uri=True) as connection:
        return connection.execute(
            "SELECT count(*), sum(id), sum(price), sum(stock), sum(length(name)) FROM \"%s\"" % table
        ).fetchone()


def clear(path):
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(str(path) + suffix)


def measure(seed, probe, folder, rows, rounds):
    write_files(folder, rows)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    project = {"sources": [{"hyperhive": {
        "host": "http://127.0.0.1:%d" % server.server_port, "environment": "e", "project": "p",
        "device": "d", "username": "u", "password": {"env": "HIVE_PASSWORD"},
        "resources": [{"name": "fruits", "withCache": False}]}}]}
    (folder / "seed.json").write_text(json.dumps(project))
    os.environ["HIVE_PASSWORD"] = "p"
    hive = (seed, folder, "build", "--config", "seed.json", "-o", "hive.sqlite")
    if probe:
        hive = (probe, folder, "hyperhive", "hive.sqlite", project["sources"][0]["hyperhive"]["host"],
                "fruits")
    file = (seed, folder, "build", "list.ndjson", "-o", "file.sqlite")
    server.document = folder / "one.json"
    _, _, idle = run(*hive)
    server.document = folder / "whole.json"
    ratios, by_work, peak = [], [], 0
    for _ in range(rounds):
        clear(folder / "hive.sqlite")
        seconds, work, memory = run(*hive)
        other, other_work, other_memory = run(*file)
        peak = max(peak, memory)
        ratios.append(other / seconds)
        by_work.append(other_work / work)
        print("answer %8.0f rows/s, %5.1f s, %3.0f MiB   NDJSON %8.0f rows/s, %5.1f s, %3.0f MiB   "
              "ratio %.2f" % (rows / seconds, work, memory, rows / other, other_work, other_memory,
                              other / seconds), flush=True)
    server.shutdown()
    if content(folder / "hive.sqlite", TABLE) != content(folder / "file.sqlite", "list"):
        sys.exit("the rows differ")
    ratio = statistics.median(ratios)
    print("ratio %.2f (at least %.1f), by processor seconds %.2f; %.0f MiB over idle (%.0f MiB; at most %d)" % (
        ratio, LEAST_RATIO, statistics.median(by_work), peak - idle, idle, MOST_MEBIBYTES))
    return 0 if ratio >= LEAST_RATIO and peak - idle <= MOST_MEBIBYTES else 1


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("seed")
    parser.add_argument("--probe")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory")
    options = parser.parse_args()
    seed, probe = os.path.abspath(options.seed), options.probe and os.path.abspath(options.probe)
    with tempfile.TemporaryDirectory(dir=options.directory) as folder:
        return measure(seed, probe, pathlib.Path(folder), options.rows, options.rounds)


if __name__ == "__main__":
    sys.exit(main())
