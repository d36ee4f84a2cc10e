"""Many loaders at once, and others that are at the destination meanwhile."""

import contextlib
import os
import sqlite3
import threading
import time

import invariants
import tracing
from watcher import Watcher


def round_of(bench, place, count, prefix=(), options=(), newer=None, meanwhile=None, stay=None):
    """Processes that load, open and add a row each, at once; returns what they said."""
    place.clear()
    start = os.path.join(place.folder, "start")
    if os.path.exists(start):
        os.remove(start)
    processes = []
    for number in range(count):
        delay = bench.chance.randrange(20_000)
        more = ["--start", start, "--delay", delay, "--row", 100_000 + 2 * number, *options]
        command = [*prefix, *bench.probing("open", place, *more)]
        if newer and number % 2:
            command[-2] = newer
        processes.append(bench.start(command))
    for process in processes:
        process.stdout.read(len(b"ready=1\n"))
    with Watcher(bench, place.destination) as watcher, contextlib.ExitStack() as stack:
        if meanwhile:
            stack.enter_context(meanwhile(place))
        open(start, "w").close()
        if stay:
            # All are at work before the first one closes the database.
            said = [wait_for(process, b"acknowledged=") for process in processes]
            open(stay, "w").close()
        results = [bench.finish(process) for process in processes]
        if stay:
            for result, text in zip(results, said, strict=True):
                result.add(text)
            os.remove(stay)
        stack.close()
        watcher.finish("a race")
    return results


def wait_for(process, start):
    """Reads what a process says until a line begins in a way, or it has ended."""
    said = []
    while line := process.stdout.readline():
        said.append(line.decode())
        if line.startswith(start):
            break
    return "".join(said)


def judge(bench, place, results, what, installs=1, prefix="row"):
    """I3 and I7; returns how many could not open, and how many rows were lost."""
    failed = [result for result in results if result.code != 0]
    bench.expect(
        not failed, f"{what}: {len(failed)} of {len(results)} failed, first: {failed and failed[0]}"
    )
    said = {int(row) for result in results for row in result.facts.get("acknowledged", [])}
    try:
        there = invariants.rows(place.destination, "id >= 100000")
    except sqlite3.Error as error:
        bench.expect(False, f"{what}: I3, the rows cannot be read: {error}")
        there = set()
    lost = said - there
    bench.expect(not lost, f"{what}: I3, {len(lost)} rows lost that were acknowledged")
    if installs is not None and not bench.is_naive:
        made = [result for result in results if result["publishing"]]
        bench.expect(len(made) == installs, f"{what}: I7, {len(made)} installations")
        inodes = {result["inode"] for result in results if result.code == 0}
        bench.expect(len(inodes) <= 1, f"{what}: I7, opened {len(inodes)} different files")
    bench.expect_tidy(place, what)
    bench.expect_source(place, what)
    return len(failed), len(lost)


def naive_rounds(bench, place, sizes):
    """Rounds of a naive loader; with --quick no more than it takes to see it fail."""
    failed = lost = rounds = 0
    for number, count in enumerate(sizes):
        results = round_of(bench, place, count)
        one, other = judge(bench, place, results, f"round {number} of {count}")
        failed, lost, rounds = failed + one, lost + other, rounds + 1
        if bench.is_quick and bench.failures:
            break
    return f"{rounds} rounds, {sum(sizes[:rounds])} openers: {failed} failed, {lost} rows lost"


def together(bench):
    """R1"""
    place = bench.place(
        "race", bench.make_seed("race", 8_000_000 if bench.is_quick else 33_000_000)
    )
    sizes = [24, 48] if bench.is_quick else [24, 32, 48, 64] * 3
    if bench.is_naive:
        return naive_rounds(bench, place, [24] * (10 if bench.is_quick else 12))
    failed = lost = 0
    for number, count in enumerate(sizes):
        results = round_of(bench, place, count)
        one, other = judge(bench, place, results, f"round {number} of {count}")
        failed, lost = failed + one, lost + other
    return f"{len(sizes)} rounds, {sum(sizes)} openers: {failed} failed, {lost} rows lost"


@contextlib.contextmanager
def unlinking(place):
    """Somebody deletes the lock file again and again."""
    is_over = threading.Event()

    def run():
        while not is_over.is_set():
            with contextlib.suppress(FileNotFoundError):
                os.remove(place.lock)
            time.sleep(0.0005)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def without_lock(bench):
    """R2"""
    tracing.require(bench)
    place = bench.place("race", bench.make_seed("race", 4_000_000))
    rounds, count = (2, 24) if bench.is_quick else (12, 24)
    if bench.is_naive:
        return naive_rounds(bench, place, [count] * 10)
    failed = lost = 0
    prefix = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=flock"]
    prefix += ["-e", "inject=flock:error=ENOLCK"]
    for number in range(rounds):
        results = round_of(bench, place, count, prefix=prefix)
        one, other = judge(bench, place, results, f"no locks, round {number}")
        free = sum(result["locked"] == "0" for result in results)
        bench.expect(free > 0, f"no locks, round {number}: nobody says so")
        results = round_of(bench, place, count, meanwhile=unlinking)
        three, four = judge(bench, place, results, f"lock file deleted, round {number}")
        failed, lost = failed + one + three, lost + other + four
    return f"{2 * rounds} rounds of {count}: {failed} failed, {lost} rows lost"


def meanwhile_created(bench):
    """R3"""
    place = bench.place()
    result = bench.run(bench.probing("load", place, "--do", "create"))
    bench.expect(result.code == 0, f"created meanwhile: {result}")
    try:
        with contextlib.closing(sqlite3.connect(place.destination)) as database:
            rows = database.execute("SELECT x FROM mine").fetchall()
    except sqlite3.Error as error:
        rows = str(error)
    bench.expect(rows == [(1,)], f"I3, the other's rows: {rows}")
    bench.expect_tidy(place, "created meanwhile")
    if not bench.is_naive:
        bench.expect(result["outcome"] == "lost-race", f"the outcome is {result['outcome']}")
    return f"outcome {result['outcome']}, the other's rows: {rows}"


def paused(bench):
    """R4"""
    tracing.require(bench)
    seconds = 1 if bench.is_quick else 10
    place = bench.place()
    call = "rename" if bench.is_naive else "renameat2"
    prefix = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
    prefix += ["-e", f"inject={call}:delay_enter={seconds * 1_000_000}:when=1"]
    slow = bench.start(prefix + bench.probing("load", place))
    deadline = time.monotonic() + 30
    while not invariants.litter(place.destination) and time.monotonic() < deadline:
        time.sleep(0.005)
    time.sleep(0.5)
    # Whoever knows nothing of the lock, or has lost it, goes on by himself.
    with contextlib.suppress(FileNotFoundError):
        os.remove(place.lock)
    result = bench.run(bench.probing("open", place, "--row", 100_000))
    bench.expect(result.code == 0, f"the second: {result}")
    late = bench.finish(slow)
    bench.expect(late.code == 0, f"the paused one: {late}")
    try:
        rows = invariants.rows(place.destination, "id >= 100000")
    except sqlite3.Error as error:
        rows = str(error)
    bench.expect(rows == {100_000}, f"I3, the second's row is lost: {rows}")
    bench.expect_next(place, "after the pause")
    return f"{seconds} s before the name; the paused one says {late['outcome']}"


def versions(bench):
    """R5"""
    old = bench.make_seed("old", 3_000_000, prefix="old")
    new = bench.make_seed("new", 3_000_000, version="2", prefix="new")
    place, outcomes = bench.place("race", old), {}
    rounds = 2 if bench.is_quick else 12
    policies = ["keep", "replaceIfPristine", "replace"]
    for number in range(rounds * len(policies)):
        if bench.is_naive and bench.failures:
            break
        policy = policies[number % len(policies)]
        results = round_of(bench, place, 24, options=["--policy", policy], newer=new)
        what = f"two versions, {policy}, round {number}"
        failed = [result for result in results if result.code != 0]
        bench.expect(not failed, f"{what}: {len(failed)} failed, first: {failed and failed[0]}")
        try:
            counts = [
                len(invariants.rows(place.destination, f"name LIKE '{prefix} %'"))
                for prefix in ("old", "new")
            ]
        except sqlite3.Error as error:
            counts = str(error)
        bench.expect(counts in ([300, 0], [0, 300]), f"{what}: mixed rows: {counts}")
        if policy != "replace":
            said = {int(row) for result in results for row in result.facts.get("acknowledged", [])}
            with contextlib.suppress(sqlite3.Error):
                lost = said - invariants.rows(place.destination, "id >= 100000")
                bench.expect(not lost, f"{what}: I3, {len(lost)} rows lost")
        elif not bench.is_naive:
            bench.expect(counts == [0, 300], f"{what}: the old version is there: {counts}")
        bench.expect_tidy(place, what)
        for result in results:
            outcomes[result["outcome"]] = outcomes.get(result["outcome"], 0) + 1
    return ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items()))


def journal_modes(bench):
    """J1"""
    place = bench.place("race", bench.make_seed("race", 4_000_000))
    failed = 0
    rounds = 3 if bench.is_quick or bench.is_naive else 12
    for number in range(rounds):
        stay = os.path.join(place.folder, "stay")
        options = ["--set-wal", 1, "--journal-mode", "wal", "--stay", stay]
        results = round_of(bench, place, 24, options=options, stay=stay)
        failed += judge(bench, place, results, f"PRAGMA journal_mode, round {number}")[0]
    return f"{rounds} rounds of 24: {failed} failed"
