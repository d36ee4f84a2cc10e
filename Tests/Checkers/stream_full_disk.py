"""usage: stream_full_disk.py SEED     (as root: it mounts small file systems)

Runs `seed stream` on file systems of every size from "the database hardly fits" on, for changes and
for the merge of a snapshot, with the cache on the full disk and elsewhere. The run ends well or says
that the disk is full (74); the database is a published state either way, and with room it goes on.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from stream_history import History
from stream_kills import check, cut_segments


def main():
    seed = sys.argv[1]
    history = History(seed=5)
    for _ in range(40):
        history.publish(rows=60)
    folder = tempfile.mkdtemp(prefix="seed-full-")
    disk = os.path.join(folder, "disk")
    os.mkdir(disk)
    full = whole = 0
    try:
        for is_merge in (False, True):
            source = os.path.join(folder, f"source-{is_merge}")
            history.write(source, [40] if not is_merge else [1], snapshot_seq=38 if is_merge else 1)
            if is_merge:
                cut_segments(source, 36)
            for is_cache_full in (False, True):
                for kilobytes in range(64, 700, 8):
                    outcome = attempt(seed, history, source, disk, kilobytes, is_cache_full, folder)
                    full += outcome == 74
                    whole += outcome == 0
    finally:
        subprocess.run(["umount", disk], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(folder)
    print(f"{full} times full, {whole} times enough: all states whole, and all went on with room")


def attempt(seed, history, source, disk, kilobytes, is_cache_full, folder):
    """One run on a small file system; returns its exit code, or None where nothing fits."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", disk], check=True)
    try:
        path = os.path.join(disk, "app.sqlite")
        bundle = os.path.join(folder, "bundle.sqlite")
        if not os.path.exists(bundle):
            history.write_database(bundle, 1)
            connection = sqlite3.connect(bundle)
            connection.executescript(
                "PRAGMA journal_mode = WAL;"
                "CREATE TABLE user_note(id INTEGER PRIMARY KEY, text TEXT);"
                "INSERT INTO user_note VALUES (1, 'mine')")
            connection.close()
        try:
            shutil.copyfile(bundle, path)
        except OSError:
            return None
        cache = disk if is_cache_full else os.path.join(folder, "cache")
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(cache, "c"))
        command = [seed, "stream", path, "--once", "--source", source, "--json"]
        run = subprocess.run(command, env=environment, capture_output=True, check=False)
        answer = json.loads(run.stdout)
        assert run.returncode in (0, 74), (kilobytes, run)
        if run.returncode == 74:
            assert answer["error"] == "diskFull", (kilobytes, answer)
        subprocess.run(["mount", "-o", "remount,size=32m", disk], check=True)
        seq = check(path, history, 1)
        assert run.returncode != 0 or seq == history.seq
        again = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert again.returncode == 0, (kilobytes, again)
        assert check(path, history, seq) == history.seq
        return run.returncode
    finally:
        subprocess.run(["umount", disk], check=True)


if __name__ == "__main__":
    main()
