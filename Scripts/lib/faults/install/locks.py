"""A database in use: its locks, replacing its content, and children of the process."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import invariants


def in_transaction(bench):
    """L1"""
    outcomes = []
    for mode in ("delete", "wal"):
        place = bench.place()
        loader, bench.loader = bench.loader, "seed"
        bench.expect(bench.install(place, "--journal-mode", mode).code == 0, "the installation")
        bench.loader = loader
        options = ["--peek", 1] if bench.is_naive else []
        process = bench.start(bench.probing("hold", place, *options), stdin=subprocess.PIPE)
        said = b""
        while b"outcome=" not in said:
            said += process.stdout.readline()
        error = None
        try:
            with contextlib.closing(sqlite3.connect(place.destination, timeout=0)) as other:
                other.execute("INSERT INTO item VALUES (900002, 'theirs')")
                other.commit()
        except sqlite3.Error as refusal:
            error = str(refusal)
        result = bench.finish_with(process, b"\n")
        bench.expect(error == "database is locked", f"{mode}: another process writes: {error}")
        bench.expect(
            result.code == 0 and "committed=1" in result.output,
            f"{mode}: the transaction: {result}",
        )
        with contextlib.suppress(sqlite3.Error):
            rows = invariants.rows(place.destination, "id >= 900000")
            bench.expect(rows == {900_001}, f"{mode}: I3, the rows are {rows}")
        outcomes.append(f"{mode}: the other's write is {'refused' if error else 'let through'}")
    return ", ".join([*outcomes, *slow_writers(bench)])


def slow_writers(bench):
    """A launch while another process is in the middle of a long transaction."""
    if bench.is_naive:
        return
    seconds = 3
    # In WAL mode nobody waits for a writer.
    for mode in ("delete",) if bench.is_quick else ("delete", "wal"):
        place = bench.place()
        bench.install(place, "--journal-mode", mode)
        writer = sqlite3.connect(place.destination, isolation_level=None)
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("INSERT INTO item VALUES (9999, 'slow')")
        process = bench.start(bench.command(place))
        time.sleep(seconds)
        writer.execute("COMMIT")
        writer.close()
        result = bench.finish(process)
        bench.expect(result["outcome"] == "already-current", f"{mode}, a slow writer: {result}")
        bench.expect(
            invariants.rows(place.destination, "id = 9999") == {9999}, f"{mode}: I3, its row"
        )
        if mode == "delete":
            place_again, started = bench.place(), time.monotonic()
            bench.install(place_again)
            writer = sqlite3.connect(place_again.destination, isolation_level=None)
            writer.execute("BEGIN EXCLUSIVE")
            result = bench.install(place_again, "--lock-timeout", "0.1")
            bench.expect_error(result, place_again, "no time to wait", errors=["locked"])
            writer.close()
            bench.expect(time.monotonic() - started < 1.9, "waited for longer than allowed")
        yield f"{mode}: a writer of {seconds} s is waited for"


def replaced_in_use(bench):
    """L2"""
    old = bench.make_seed("old", 2_000_000, prefix="old")
    new = bench.make_seed("new", 2_000_000, version="2", prefix="new")
    rounds, seen = (2 if bench.is_quick else 10), {}
    for mode in ("delete", "wal"):
        for number in range(rounds):
            what = f"{mode}, round {number}"
            place, newer = bench.place("used", old), bench.place("newer", new)
            loader, bench.loader = bench.loader, "seed"
            bench.expect(bench.install(place, "--journal-mode", mode).code == 0, "the installation")
            bench.loader = loader
            users = [
                subprocess.Popen(
                    [sys.executable, __file__, place.destination, str(200_000 + 100_000 * user)],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                )
                for user in range(3)
            ]  # fmt: skip
            for user in users:
                user.stdout.readline()
            if bench.is_naive:
                copy = place.destination + ".tmp-1"
                shutil.copyfile(newer.source, copy)
                os.rename(copy, place.destination)
            else:
                result = bench.run([
                    bench.seed, "install", newer.source, place.destination, "--policy", "replace",
                    "--json",
                ])  # fmt: skip
                bench.expect(result.code == 0, f"{what}: {result}")
                bench.expect(result["outcome"] == "replaced", f"{what}: {result['outcome']}")
            # A row that is acknowledged after the replacement is the new content's.
            mark = time.monotonic()
            time.sleep(0.3)
            acknowledged = set()
            for user in users:
                output, _ = user.communicate("end\n")
                for line in output.splitlines():
                    kind, _, rest = line.partition(" ")
                    if not kind:
                        continue
                    if kind == "row":
                        row, moment = rest.split()
                        if float(moment) > mark:
                            acknowledged.add(int(row))
                    else:
                        seen[rest] = seen.get(rest, 0) + 1
                        bench.expect(rest in ("database is locked",), f"{what}: a user saw: {rest}")
            state = invariants.state(place.destination, "new")
            bench.expect(state == "complete", f"{what}: I1, the new content is {state}")
            with contextlib.suppress(sqlite3.Error):
                lost = acknowledged - invariants.rows(place.destination, "id >= 200000")
                bench.expect(
                    not lost, f"{what}: I3, {len(lost)} rows lost that were acknowledged after it"
                )
            bench.expect(acknowledged, f"{what}: nobody wrote after the replacement")
            bench.expect_tidy(place, what)
    errors = ", ".join(f"{count} times {error}" for error, count in seen.items()) or "none"
    return f"{2 * rounds} replacements under a writer and two readers; errors seen: {errors}"


def use(path, first):
    """A program that has the database open and reads it all the time; the first one writes, too."""
    is_writer = first == 200_000
    connection = sqlite3.connect(path, isolation_level=None, timeout=60)
    connection.execute("SELECT count(*) FROM item").fetchall()
    connection.execute("PRAGMA busy_timeout = 50")
    print("ready", flush=True)
    os.set_blocking(0, False)
    said, row = [], first
    while not sys.stdin.readline():
        row += 1
        try:
            if is_writer and row % 20 == 0:
                connection.execute("INSERT INTO item VALUES (?, 'used')", (row,))
                said.append(f"row {row} {time.monotonic()}")
            connection.execute("SELECT count(*), max(name) FROM item").fetchall()
        except sqlite3.Error as error:
            if "locked" not in str(error):
                said.append(f"error {error}")
        time.sleep(0.002)
    connection.close()
    print("\n".join(said))


def forked(bench):
    """L3"""
    place = bench.place()
    # A child that does nothing keeps what the parent had open, the lock among it.
    result = None
    process = bench.start(bench.probing("load", place, "--do", "fork-idle"), start_new_session=True)
    child = None
    said = b""
    while b"outcome=" not in said and (line := process.stdout.readline()):
        said += line
        if line.startswith(b"child="):
            child = int(line[6:])
    process.wait()
    started = time.monotonic()
    if bench.is_naive:
        bench.expect_tidy(place, "a child that lives on")
    else:
        os.remove(place.destination)
        result = bench.install(place, "--lock-timeout", "3")
        seconds = time.monotonic() - started
        bench.expect(result.code == 0, f"a child that lives on: {result}")
        bench.expect(seconds < 2, f"a child that lives on keeps the lock: {seconds:.1f} s")
    if bench.expect(child, f"no child: {said}"):
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    # A child that loads by itself, while the parent is in the middle of it.
    place.clear()
    result = bench.run(
        bench.probing("open", place, "--do", "fork-load", "--row", 100_000, "--lock-timeout", 20000)
    )
    bench.expect(
        result.code == 0 and "child-error" not in result.facts, f"a child that loads: {result}"
    )
    try:
        rows = invariants.rows(place.destination, "id >= 100000")
    except sqlite3.Error as error:
        rows = str(error)
    bench.expect(rows == {100_000, 100_001}, f"a child that loads: I3, the rows are {rows}")
    bench.expect_next(place, "after the children")
    return f"a child that lives on, a child that loads: rows {rows}"


if __name__ == "__main__":
    use(sys.argv[1], int(sys.argv[2]))
