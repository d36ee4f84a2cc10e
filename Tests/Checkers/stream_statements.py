"""usage: stream_statements.py SEED PROBE [--calls] [--step N]

Ends a run of a table stream with kill -9 at the beginning and at the end of every statement that SQLite
runs in it (PROBE, which SQLite calls back), and with --calls also at every system call that writes,
renames, cuts or deletes (strace on SEED): the download, the renames, the rows, the commit, the
checkpoint of the log. After each kill the database is a published state at the position that it names,
and the next run reaches the head. Last, the database may have no more pages than so many, from what it
has up to enough: the run says that the disk is full, and goes on when there is room.
"""

import argparse
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

from stream_history import History
from stream_kills import check, cut_segments

CALLS = ["write", "pwrite64", "rename", "renameat2", "unlink", "ftruncate", "fsync", "fdatasync"]


class Scene:
    """A database at checkpoint 1 and a source: changes alone, or a snapshot and changes."""

    def __init__(self, folder, is_merge, rows=4):
        self.name = f"{'merge' if is_merge else 'changes'} of {rows} rows"
        self.history = History(seed=3)
        for _ in range(4):
            self.history.publish(rows=rows, keys=3 * rows)
        self.folder = os.path.join(folder, self.name)
        os.mkdir(self.folder)
        self.source = os.path.join(self.folder, "source")
        self.history.write(self.source, [1], snapshot_seq=3 if is_merge else 1)
        if is_merge:
            cut_segments(self.source, 3)
        self.bundle = os.path.join(self.folder, "bundle.sqlite")
        self.history.write_database(self.bundle, 1)
        connection = sqlite3.connect(self.bundle)
        connection.executescript(
            "CREATE TABLE user_note(id INTEGER PRIMARY KEY, text TEXT);"
            "INSERT INTO user_note VALUES (1, 'mine')")
        connection.close()
        self.app = os.path.join(self.folder, "app")
        self.path = os.path.join(self.app, "app.sqlite")
        self.cache = os.path.join(self.app, "cache")

    def reset(self):
        shutil.rmtree(self.app, ignore_errors=True)
        os.mkdir(self.app)
        shutil.copyfile(self.bundle, self.path)

    def check_and_finish(self, command, environment, comment):
        """The invariants after a run that was ended, and that the next one ends well."""
        seq = check(self.path, self.history, 1)
        again = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert again.returncode == 0, (comment, again)
        assert check(self.path, self.history, seq) == self.history.seq, comment


def statements(scene, probe, step):
    """Kills at each moment of each statement; returns how often."""
    scene.reset()
    command = [probe, scene.path, scene.source, scene.cache]
    whole = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    count = int(re.match(r"moments=(\d+) ", whole)[1])
    assert count > 100, whole
    for number in range(1, count + 1, step):
        scene.reset()
        run = subprocess.run(command + ["--kill", str(number)], capture_output=True, check=False)
        assert run.returncode == -signal.SIGKILL, (number, run)
        scene.check_and_finish(command, None, f"statement {number} of {count}")
    return len(range(1, count + 1, step))


def calls(scene, seed):
    """Kills at each system call of some kinds; returns how often."""
    environment = dict(os.environ, XDG_CACHE_HOME=scene.cache)
    command = [seed, "stream", scene.path, "--once", "--source", scene.source, "--json"]
    kills = 0
    for call in CALLS:
        for number in range(1, 10000):
            scene.reset()
            traced = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                      "-e", f"inject={call}:signal=KILL:when={number}"] + command
            run = subprocess.run(traced, env=environment, capture_output=True, check=False)
            if run.returncode == 0:
                assert check(scene.path, scene.history, 1) == scene.history.seq
                break
            assert run.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL), (call, number, run)
            kills += 1
            scene.check_and_finish(command, environment, f"{call} {number}")
    return kills


def pages(scene, probe):
    """Bounds the pages of the database; returns how often it was full."""
    size = os.path.getsize(scene.bundle) // 4096
    full = 0
    command = [probe, scene.path, scene.source, scene.cache]
    for most in range(size, size + 1000):
        scene.reset()
        run = subprocess.run(
            command + ["--pages", str(most)], capture_output=True, check=True, text=True)
        outcome = run.stdout.split("outcome=")[1].strip()
        if outcome in ("applied", "merged"):
            assert check(scene.path, scene.history, 1) == scene.history.seq
            assert full > 5, "the database hardly grows"
            return full
        assert outcome == "diskFull", (most, run)
        full += 1
        scene.check_and_finish(command, None, f"{most} pages")
    raise AssertionError("it is never enough")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", help="the program")
    parser.add_argument("probe", help="SeedStreamProbe")
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--step", type=int, default=1, help="only each so-manieth statement")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="seed-statements-")
    try:
        for is_merge in (False, True):
            scene = Scene(folder, is_merge)
            report = {"statements": statements(scene, options.probe, options.step)}
            if options.calls:
                report["calls"] = calls(scene, options.seed)
            report["full"] = pages(Scene(folder, is_merge, rows=400), options.probe)
            print(f"{scene.name}: kills and full disks {json.dumps(report)}, all states whole",
                  flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
