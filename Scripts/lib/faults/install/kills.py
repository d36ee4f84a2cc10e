"""Loaders that are killed: at every system call, at any moment, in the app's own closures."""

import gzip
import os
import signal
import time

import invariants
import tracing
from bench import stop
from watcher import Watcher


def leave_log(place):
    """The log of an earlier database whose file is gone."""
    with open(place.destination + "-journal", "wb") as file:
        file.write(b"\0" * 512)


def leave_damage(place):
    with open(place.destination, "wb") as file:
        file.write(b"not a database")


def kill_at_each(bench, place, name, prepare, options=(), injections=(), prefixes=("row",)):
    """One sweep: the process dies before call 1, 2, 3, ... and after the last."""
    tracing.require(bench)
    place.clear()
    prepare(place)
    result, calls = tracing.trace(bench, bench.command(place, *options), place, injections)
    bench.expect(result.code == 0, f"{name}: an undisturbed run: {result}")
    if bench.is_quick:
        calls = [call for call in calls if call.is_changing]
        calls = calls if name == "first run" else calls[::2]
    # A call is tampered with in one way only.
    tampered = {injection.split(":")[0] for injection in injections}
    calls = [call for call in calls if call.name not in tampered]
    reached = 0
    with Watcher(bench, place.destination) as watcher:
        is_watched = prepare is not leave_damage
        for call in calls:
            place.clear()
            prepare(place)
            what = f"{name}: killed before {call}"
            command = bench.command(place, *options)
            result = bench.run(tracing.inject(command, call, "signal=KILL", injections))
            if not bench.expect(result.code == -signal.SIGKILL, f"{what}: {result}"):
                continue
            reached += 1
            state = invariants.state(place.destination)
            expected = ["absent", "complete"] + ["no database", "a file of 14 bytes"] * (
                not is_watched
            )
            bench.expect(state in expected, f"{what}: I1, the destination is {state}")
            bench.expect_next(place, what, *options)
        if is_watched:
            watcher.finish(name)
    bench.expect(
        reached >= 0.9 * len(calls), f"{name}: only {reached} of {len(calls)} kills reached"
    )
    return reached


def every_call(bench):
    """K1"""
    place = bench.place()
    reached = kill_at_each(bench, place, "first run", lambda _: None)
    if bench.is_naive:
        return f"{reached} kills"
    deep = bench.place("deep", destination="a/b/shop.sqlite")
    sweeps = [
        kill_at_each(bench, deep, "missing folders", lambda _: None, ["--journal-mode", "wal"]),
        kill_at_each(bench, place, "beside a log", leave_log),
        kill_at_each(bench, place, "repair", leave_damage, ["--repair"]),
        kill_at_each(
            bench, place, "by link", lambda _: None, injections=["renameat2:error=EINVAL"]
        ),
    ]
    return f"{reached} + {' + '.join(map(str, sweeps))} kills reached"


def random_moments(bench):
    """K2"""
    size, count = (20_000_000, 25) if bench.is_quick else (200_000_000, 1000)
    if bench.is_naive:
        count = min(count, 30)
    place = bench.place("large", bench.make_seed("large", size))
    started = time.monotonic()
    bench.expect(bench.install(place).code == 0, "an undisturbed run")
    seconds = time.monotonic() - started
    place.clear()
    killed = finished = partial = 0
    with Watcher(bench, place.destination) as watcher:
        for number in range(count):
            moment = bench.chance.uniform(0, 1.05 * seconds)
            process = bench.start(bench.command(place))
            time.sleep(moment)
            stop(process)
            result = bench.finish(process)
            what = f"kill -9 after {moment:.3f} s (number {number})"
            killed += result.code == -signal.SIGKILL
            left = invariants.litter(place.destination)
            bench.expect(len(left) <= 2, f"{what}: unfinished copies heap up: {left}")
            partial += bool(left)
            if not os.path.exists(place.destination):
                continue
            finished += 1
            # Checked in full when there is one to check: reading all of it takes its time.
            bench.expect_whole(place, what)
            bench.expect_next(place, what)
            place.clear()
        polls = watcher.finish("kill -9 at random moments")
    bench.expect_next(place, "after all")
    bench.expect(killed >= count / 2, f"only {killed} of {count} were killed")
    return (
        f"{count} moments of {seconds:.2f} s, {killed} killed, {partial} copies cut off,"
        f" {finished} databases complete, {polls} looks"
    )


def in_closures(bench):
    """K3"""
    place, kills = bench.place(), 0
    moments = [["--at", share] for share in (0.01, 0.5, 0.97)] + [[]]
    for moment in moments:
        place.clear()
        what = f"killed {'at ' + str(moment[1]) if moment else 'in the preparation'}"
        result = bench.run(bench.probing("load", place, "--do", "kill", *moment))
        kills += result.code == -signal.SIGKILL
        bench.expect(result.code == -signal.SIGKILL, f"{what}: {result}")
        bench.expect_whole(place, what)
        bench.expect_next(place, what)
    if bench.is_naive:
        return f"{kills} kills"
    return f"{kills} kills in closures, {packed(bench)} while unpacking, {replacing(bench)} while replacing"


def packed(bench):
    """Killed while a packed seed is unpacked."""
    place = pack(bench, bench.place("packed", bench.make_seed("middle", 5_000_000)))
    kills = 0
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        place.clear()
        result = bench.run(bench.probing("load", place, "--do", "kill", "--at", share))
        kills += result.code == -signal.SIGKILL
        bench.expect(result.code == -signal.SIGKILL, f"unpacking, killed at {share}: {result}")
        bench.expect_whole(place, f"unpacking, killed at {share}")
        bench.expect_next(place, f"unpacking, killed at {share}")
    return kills


def pack(bench, place):
    with open(place.source, "rb") as file:
        content = file.read()
    with gzip.open(place.source + ".gz", "wb", compresslevel=1) as file:
        file.write(content)
    os.remove(place.source)
    place.source += ".gz"
    place.before = invariants.snapshot(place.bundle)
    return place


def replacing(bench):
    """Killed at the calls of a replacement: old content or new, in both journal modes."""
    tracing.require(bench)
    old = bench.make_seed("old", 2_000_000, prefix="old")
    new = bench.make_seed("new", 2_000_000, version="2", prefix="new")
    kills = 0
    for mode in ("delete", "wal"):
        place, newer = bench.place("old", old), bench.place("new", new)

        def start():
            place.clear()
            result = bench.install(place, "--journal-mode", mode)
            bench.expect(result.code == 0, f"replacing, {mode}: {result}")

        command = [
            bench.seed, "install", newer.source, place.destination, "--policy", "replace", "--json",
        ]  # fmt: skip
        start()
        _, calls = tracing.trace(bench, command, place)
        changing = [call for call in calls if call.is_changing or call.name == "pwrite64"]
        points = 5 if bench.is_quick else 60
        for call in changing[:: max(len(changing) // points, 1)]:
            start()
            what = f"replacing, {mode}, killed before {call}"
            result = bench.run(tracing.inject(command, call, "signal=KILL"))
            if not bench.expect(result.code == -signal.SIGKILL, f"{what}: {result}"):
                continue
            kills += 1
            old_state = invariants.state(place.destination, "old")
            new_state = invariants.state(place.destination, "new")
            bench.expect(
                sorted((old_state, new_state))[0] == "a database with 0 rows of the seed"
                and "complete" in (old_state, new_state),
                f"{what}: neither old nor new: {old_state}, {new_state}",
            )
            result = bench.run(command)
            bench.expect(result.code == 0, f"{what}: I2, the next call: {result}")
            state = invariants.state(place.destination, "new")
            bench.expect(state == "complete", f"{what}: I2, after the next call: {state}")
            bench.expect_tidy(place, what)
    return kills


def holding_lock(bench):
    """K4"""
    place = bench.place()
    result = bench.run(bench.probing("load", place, "--do", "kill"))
    bench.expect(result.code == -signal.SIGKILL, f"killed with the lock held: {result}")
    started = time.monotonic()
    bench.expect_next(place, "after a death with the lock held", "--lock-timeout", "5")
    seconds = time.monotonic() - started
    bench.expect(seconds < 2, f"the next call waited {seconds:.1f} s")
    return f"the next call took {seconds * 1000:.0f} ms"
