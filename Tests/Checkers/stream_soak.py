"""usage: stream_soak.py SEED [--minutes N] [--scale N] [--random-seed N]

A stream over a bad line: `seed publish` publishes again and again, `seed serve` serves, and between it
and `seed stream` lies a line of 64 kbit/s with a round trip of 300 ms that loses every twentieth packet,
and now and then the connection with it. All of that is --scale times faster (default 20), so that five
minutes stand for a hundred. The client is killed at random instants and started again.

After each run the database must be exactly one of the published states, at the position that it names,
which never goes back, and what the app has written itself must stay. In the end the client must reach
the newest state, and must have been sent at most 1.1 times what it needed: each object that it came to have whole, once,
and each head once.
"""

import argparse
import hashlib
import http.client
import http.server
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

PACKET = 1400


class Line:
    """The line between a client and the server, and what went over it."""

    def __init__(self, port, numbers, scale):
        self.port = port
        self.numbers = numbers
        self.bytes_a_second = 64_000 / 8 * scale
        self.round_trip = 0.3 / scale
        self.lock = threading.Lock()
        self.sent = 0
        self.requests = 0
        self.losses = 0
        self.cuts = 0
        # The sizes of what came to its end, by the name that tells one from another.
        self.needed = {}

    def chance(self):
        with self.lock:
            return self.numbers.random()

    def count(self, size):
        with self.lock:
            self.sent += size

    def end(self, name, size):
        with self.lock:
            self.needed[name] = size


def handler(line):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def setup(self):
            super().setup()
            # What a client that is killed has not read yet was not sent on a slow line either.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * PACKET)
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def do_GET(self):
            time.sleep(line.round_trip)
            upstream = http.client.HTTPConnection("127.0.0.1", line.port)
            names = ["Range", "If-None-Match", "Cache-Control", "Accept-Encoding"]
            headers = {name: self.headers[name] for name in names if self.headers[name]}
            upstream.request("GET", self.path, headers=headers)
            answer = upstream.getresponse()
            body = answer.read()
            upstream.close()
            whole = len(body)
            if answer.headers["Content-Range"]:
                whole = int(answer.headers["Content-Range"].rsplit("/", 1)[1])
            with line.lock:
                line.requests += 1
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("date", "server", "connection", "content-length"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                self.relay(body)
                if answer.status in (200, 206):
                    is_head = self.path.endswith("head.json")
                    line.end(answer.headers["ETag"] if is_head else self.path, whole)
            except OSError:
                self.close_connection = True

        def relay(self, body):
            for start in range(0, len(body), PACKET):
                packet = body[start:start + PACKET]
                time.sleep(len(packet) / line.bytes_a_second)
                if line.chance() < 0.05:
                    line.losses += 1
                    # It is sent once more after a while, unless the line is gone altogether.
                    time.sleep(2 * line.round_trip)
                    if line.chance() < 0.1:
                        line.cuts += 1
                        self.connection.setsockopt(
                            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        self.connection.close()
                        raise ConnectionError
                self.wfile.write(packet)
                line.count(len(packet))

    return Handler


class QuietServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


def state(path):
    """A digest of the stream's rows."""
    connection = sqlite3.connect(path)
    digest = hashlib.sha256()
    for table in ("maker", "item"):
        for row in connection.execute(f"SELECT * FROM {table} ORDER BY id"):
            digest.update(repr(row).encode())
    connection.close()
    return digest.hexdigest()


class Publisher:
    """Changes a database and publishes it; keeps what each position has to look like."""

    def __init__(self, seed, folder, numbers):
        self.seed, self.numbers = seed, numbers
        self.path = os.path.join(folder, "work.sqlite")
        self.target = os.path.join(folder, "public")
        self.states = {}
        self.changes = 0
        connection = sqlite3.connect(self.path)
        connection.executescript("""
            CREATE TABLE maker(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, story TEXT);
            CREATE TABLE item(id INTEGER PRIMARY KEY, maker INTEGER REFERENCES maker(id),
              code TEXT UNIQUE, price REAL, picture BLOB);""")
        connection.executemany(
            "INSERT INTO maker VALUES(?, ?, ?)",
            [(id, f"maker {id}", self.noise(2000).hex()) for id in range(1, 1001)])
        connection.executemany(
            "INSERT INTO item VALUES(?, ?, ?, ?, ?)",
            [(id, 1 + id % 1000, f"code {id}", id + 0.25, self.noise(200))
             for id in range(1, 4001)])
        connection.commit()
        connection.close()
        self.publish()

    def noise(self, size):
        return self.numbers.randbytes(size)

    def change(self):
        self.changes += 1
        number = self.numbers.randrange
        connection = sqlite3.connect(self.path)
        for _ in range(number(20, 1500)):
            connection.execute(
                "UPDATE item SET price = ?, picture = ? WHERE id = ?",
                (self.changes + 0.5, self.noise(number(1, 400)), number(1, 4001)))
        first, second = number(1, 2000), number(2000, 4001)
        codes = dict(connection.execute(
            "SELECT id, code FROM item WHERE id IN (?, ?)", (first, second)))
        if len(codes) == 2:
            # Unique values change places.
            connection.execute("UPDATE item SET code = NULL WHERE id = ?", (first,))
            connection.execute("UPDATE item SET code = ? WHERE id = ?", (codes[first], second))
            connection.execute("UPDATE item SET code = ? WHERE id = ?", (codes[second], first))
        connection.execute("DELETE FROM item WHERE id = ?", (number(1, 4001),))
        connection.execute(
            "INSERT OR IGNORE INTO item VALUES(?, ?, ?, ?, ?)",
            (number(1, 4001), number(1, 1001), f"new {self.changes}", 1.5, self.noise(100)))
        connection.commit()
        connection.close()

    def publish(self):
        output = subprocess.run(
            [self.seed, "publish", self.path, "--to", self.target, "--json"], check=True,
            stdout=subprocess.PIPE).stdout
        position = json.loads(output)
        self.states[position["seq"]] = (position["id"], state(self.path))
        self.seq = position["seq"]


def check(path, publisher, least):
    """The invariants; returns where the database stands."""
    connection = sqlite3.connect(path)
    seq, identifier = connection.execute("SELECT seq, id FROM _seed_stream").fetchone()
    assert connection.execute("SELECT * FROM note").fetchall() == [(1, "mine")]
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    assert seq >= least, f"the position went back from {least} to {seq}"
    assert (identifier, state(path)) == publisher.states[seq], f"no published state at {seq}"
    return seq


def soak(options, folder):
    numbers = random.Random(options.random_seed)
    publisher = Publisher(options.seed, folder, numbers)
    app = os.path.join(folder, "app.sqlite")
    shutil.copyfile(publisher.path, app)
    connection = sqlite3.connect(app)
    connection.executescript(
        "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT); INSERT INTO note VALUES(1, 'mine')")
    connection.close()
    server = subprocess.Popen(
        [options.seed, "serve", publisher.target], stdout=subprocess.PIPE, text=True)
    proxy = None
    try:
        port = int(re.search(r":(\d+)/", server.stdout.readline()).group(1))
        line = Line(port, random.Random(options.random_seed + 1), options.scale)
        proxy = QuietServer(("127.0.0.1", 0), handler(line))
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        run(options, folder, publisher, app, line, proxy.server_address[1], numbers)
    finally:
        if proxy:
            proxy.shutdown()
        server.send_signal(signal.SIGINT)
        server.wait()


def run(options, folder, publisher, app, line, port, numbers):
    command = [
        options.seed, "stream", app, "--once", "--json",
        "--source", f"http://127.0.0.1:{port}/main/v1",
        "--retry-delay", str(0.5 / options.scale)]
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    kills = runs = 0
    seq = check(app, publisher, 0)
    end = time.monotonic() + options.minutes * 60
    due = 0
    while time.monotonic() < end or seq < publisher.seq:
        if time.monotonic() < end and time.monotonic() >= due:
            publisher.change()
            publisher.publish()
            due = time.monotonic() + numbers.uniform(20, 100) / options.scale
        runs += 1
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            process.wait(numbers.expovariate(options.scale / 30))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        if process.returncode == -signal.SIGKILL:
            kills += 1
        else:
            # A line this bad may use up all attempts; the next run goes on.
            assert process.returncode in (0, 69), errors.decode()
        seq = check(app, publisher, seq)
        if seq == publisher.seq:
            time.sleep(numbers.uniform(0, 15) / options.scale)
    needed = sum(line.needed.values())
    ratio = line.sent / needed
    print(
        f"{publisher.seq} publications, {runs} runs, {kills} killed, {line.requests} requests, "
        f"{line.losses} packets lost and {line.cuts} connections with them: "
        f"{line.sent} bytes sent, {needed} needed, {ratio:.3f} times")
    assert ratio <= 1.1, "more was sent than 1.1 times what was needed"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", help="the program")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--scale", type=float, default=20)
    parser.add_argument("--random-seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    options.seed = os.path.abspath(options.seed)
    print(f"random seed {options.random_seed}")
    folder = tempfile.mkdtemp(prefix="seed-soak-")
    try:
        soak(options, folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
