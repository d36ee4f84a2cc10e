"""A merge of a newer seed into a database with a user's own rows, killed or failing at every call."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess

from workshop import Skipped

CALLS = ["pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "rename,renameat2"]
FAULTS = ["signal=KILL", "error=ENOSPC", "error=EIO"]
OLD = [(number, f"name {number}") for number in range(1, 200)]
# Unique values move to the next row, rows go and rows come.
NEW = [(number, f"name {number % 150 + 1}") for number in range(1, 151)]
NEW += [(number, f"new {number}") for number in range(300, 330)]
OWN = (1000, "mine", 1)


def merge(shop, quick, count):
    """The n-th call is the last one, or fails, for n from 1 until the merge no longer makes so many."""
    if shutil.which("strace") is None:
        raise Skipped("needs strace")
    probe = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        raise Skipped(f"strace does not work here: {probe.stderr.strip()}")
    folder = shop.subfolder("merge")
    seeds = [build(shop, folder, version, rows) for version, rows in (("1", OLD), ("2", NEW))]
    tried = 0
    for mode in ("delete", "wal"):
        kept = install(shop, folder, seeds[0], mode)
        for fault in FAULTS:
            for call in CALLS:
                turn = 1
                while turn <= (6 if quick else 1000):
                    what = f"{mode}: {call} number {turn}, {fault}"
                    if not attempt(shop, kept, seeds[1], call, f"{fault}:when={turn}", what):
                        break
                    tried, turn = tried + 1, turn + 1
    return f"{tried} calls"


def build(shop, folder, version, rows):
    """A seed of many small pages, whose table's names are its own."""
    output = os.path.join(folder, f"{version}.sqlite")
    with open(os.path.join(folder, "schema.sql"), "w") as file:
        file.write("CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT UNIQUE, favourite INTEGER DEFAULT 0);")
    with open(os.path.join(folder, f"{version}.ndjson"), "w") as file:
        file.writelines(json.dumps({"id": number, "name": name}) + "\n" for number, name in rows)
    project = {
        "name": "shop",
        "version": version,
        "schema": "schema.sql",
        "pragmas": {"page_size": 512},
        "sources": [{"file": f"{version}.ndjson", "table": "item"}],
        "owned": {"item": ["name"]},
    }
    path = os.path.join(folder, f"{version}.seed.json")
    with open(path, "w") as file:
        json.dump(project, file)
    run(shop, ["build", "--config", path, "-o", output])
    return output


def install(shop, folder, seed, mode):
    """An installed database in which the user has been at work; a copy is taken for each attempt."""
    kept = os.path.join(folder, mode + ".kept")
    database = os.path.join(kept, "live.sqlite")
    run(shop, ["install", seed, database, "--journal-mode", mode])
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("UPDATE item SET favourite = 1")
        connection.execute("INSERT INTO item VALUES (?, ?, ?)", OWN)
        connection.execute("CREATE TABLE note(text)")
        connection.execute("INSERT INTO note VALUES ('mine')")
    return kept


def run(shop, arguments):
    result = subprocess.run([shop.seed, *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"faults: seed {' '.join(arguments)} failed: {result.stderr}")


def attempt(shop, kept, seed, call, fault, what):
    """Whether the call was reached; without it the merge has succeeded."""
    folder, log = kept.removesuffix(".kept"), shop.path("strace.txt")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kept, folder)
    database = os.path.join(folder, "live.sqlite")
    arguments = ["install", seed, database, "--policy", "merge"]
    prefix = ["strace", "-f", "-qq", "-o", log, "-e", f"trace={call}", "-e", f"inject={call}:{fault}"]
    result = subprocess.run([*prefix, shop.seed, *arguments], capture_output=True, text=True)
    with open(log, errors="replace") as file:
        is_reached = any("(INJECTED)" in line or "killed by SIGKILL" in line for line in file)
    version = state(shop, database, what)
    if not is_reached:
        shop.expect(result.returncode == 0 and version == "2", f"{what}: {result.stderr}")
        return False
    if "signal" in fault:
        shop.expect(result.returncode in (-signal.SIGKILL, 137), f"{what}: exit {result.returncode}")
    elif result.returncode == 0:
        shop.expect(version == "2", f"{what}: exit 0, but the old rows are there")
    run(shop, arguments)
    shop.expect(state(shop, database, what) == "2", f"{what}: the next merge did not finish")
    left = [name for name in os.listdir(folder) if ".staging-" in name]
    shop.expect(not left, f"{what}: left {left}")
    return True


def state(shop, database, what):
    """The version whose rows are there, as a whole, beside all that is the user's."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        check = connection.execute("PRAGMA integrity_check").fetchall()
        version = connection.execute("SELECT version FROM _seed").fetchone()[0]
        rows = connection.execute("SELECT id, name, favourite FROM item ORDER BY id").fetchall()
        notes = connection.execute("SELECT text FROM note").fetchall()
    expected = [(number, name, int(number < 200)) for number, name in (OLD if version == "1" else NEW)]
    shop.expect(check == [("ok",)] and notes == [("mine",)], f"{what}: {check} {notes}")
    shop.expect(rows == [*expected, OWN], f"{what}: rows of no version")
    return version
