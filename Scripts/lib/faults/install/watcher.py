"""Polls a destination while loaders run: I1 at every instant. A process of its own."""

import os
import subprocess
import sys
import time

import invariants


class Watcher:
    """Watches a path until it is asked for what it saw."""

    def __init__(self, bench, path):
        self.bench = bench
        self.process = subprocess.Popen(
            [sys.executable, __file__, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.process.stdout.readline()

    def finish(self, what):
        output, _ = self.process.communicate()
        polls, bad, first = output.decode().strip().split(" ", 2)
        self.bench.expect(
            int(bad) == 0, f"{what}: I1, seen {bad} times in {polls} looks, first: {first}"
        )
        return int(polls)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def watch(path):
    os.set_blocking(0, False)
    print("ready", flush=True)
    polls = bad = 0
    first = "-"
    logs = [path + suffix for suffix in ("-journal", "-wal")]
    while not is_over():
        time.sleep(0.0003)
        polls += 1
        # A transaction that is being written is completed or undone by what lies beside it.
        if any(map(os.path.exists, logs)):
            continue
        finding = invariants.shape(path)
        if finding and not any(map(os.path.exists, logs)):
            bad += 1
            if bad == 1:
                first = finding
    print(polls, bad, first)


def is_over():
    try:
        return os.read(0, 1) == b""
    except BlockingIOError:
        return False


if __name__ == "__main__":
    watch(sys.argv[1])
