"""usage: stream_kills.py SEED [--kills N] [--random-seed N]

Kills `seed stream` at random instants, again and again on the same database, and looks after each
kill whether the database is exactly one of the published states, at the position that it names, which
never goes back. What the app has written itself must stay. Ends when so many kills were reached.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from stream_history import STREAM, TABLES, History


def check(path, history, least):
    """The invariants; returns the number of the checkpoint that the database is at."""
    connection = sqlite3.connect(path)
    epoch, seq, identifier = connection.execute(
        "SELECT epoch, seq, id FROM _seed_stream WHERE stream = ?", (STREAM,)).fetchone()
    assert epoch == history.epoch and identifier == history.ids[seq - 1], (epoch, seq, identifier)
    assert seq >= least, f"the position went back from {least} to {seq}"
    for name, (_, columns) in TABLES.items():
        rows = connection.execute(f"SELECT {','.join(columns)} FROM {name}").fetchall()
        found = {row[0]: row for row in rows}
        assert found == history.states[seq - 1][name], f"{name} is not that of checkpoint {seq}"
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("SELECT * FROM user_note").fetchall() == [(1, "mine")]
    connection.close()
    return seq


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", help="the program")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--random-seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"random seed {options.random_seed}")
    numbers = random.Random(options.random_seed)
    history = History(seed=options.random_seed)
    for _ in range(60):
        history.publish()
    folder = tempfile.mkdtemp(prefix="seed-kills-")
    try:
        source = os.path.join(folder, "source")
        run(options, numbers, history, folder, source)
    finally:
        shutil.rmtree(folder)


def run(options, numbers, history, folder, source):
    """Kills until there were enough kills."""
    bundle, path = os.path.join(folder, "bundle.sqlite"), os.path.join(folder, "app.sqlite")
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    command = [options.seed, "stream", path, "--once", "--source", source, "--json"]
    kills = reached = merges = 0
    longest = 0.05
    while kills < options.kills:
        # Sometimes beyond the horizon of the head, so that a snapshot is merged.
        is_merge = numbers.randrange(3) == 0
        shutil.rmtree(source, ignore_errors=True)
        history.write(source, [1, 8], snapshot_seq=40 if is_merge else 1)
        if is_merge:
            cut_segments(source, 35)
        for name in [path, path + "-wal", path + "-shm", bundle]:
            if os.path.exists(name):
                os.unlink(name)
        history.write_database(bundle, numbers.randrange(1, 30))
        shutil.copyfile(bundle, path)
        connection = sqlite3.connect(path)
        connection.executescript(
            "CREATE TABLE user_note(id INTEGER PRIMARY KEY, text TEXT);"
            "INSERT INTO user_note VALUES (1, 'mine')")
        connection.close()
        seq = check(path, history, 0)
        while seq < history.seq:
            start = time.monotonic()
            process = subprocess.Popen(
                command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                process.wait(numbers.random() * longest)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            _, errors = process.communicate()
            if process.returncode == -signal.SIGKILL:
                kills += 1
                # A run that is never allowed to end would go on for ever at the first step.
                longest = min(longest * 1.02, 5)
            else:
                assert process.returncode == 0, errors.decode()
                longest = max(0.02, (time.monotonic() - start) * 1.1)
            seq = check(path, history, seq)
        reached += 1
        merges += is_merge
    print(f"{kills} kills, {reached} times at the head, {merges} of them by a merge: all states whole")


def cut_segments(source, horizon):
    """Takes from the head the segments that begin before a number."""
    head_path = os.path.join(source, "head.json")
    with open(head_path, encoding="utf-8") as file:
        head = json.load(file)
    head["segments"] = [entry for entry in head["segments"] if entry["from"] >= horizon]
    with open(head_path, "w", encoding="utf-8") as file:
        json.dump(head, file)


if __name__ == "__main__":
    sys.exit(main())
