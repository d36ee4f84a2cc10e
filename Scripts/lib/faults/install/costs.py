"""Memory, time, and names that repeat."""

import os
import sqlite3
import statistics
import subprocess
import time

import invariants
import power
import tracing
from archives import run_measured
from bench import Skipped, write_database

PAGE = 65536


def sparse_seed(path, byte_count):
    """A valid database most of which is holes: two pages list all others as free, unread."""
    os.remove(path)
    write_database(path, 0, "1", 300, "row", True, "shop")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {PAGE}")
    connection.execute("VACUUM")
    connection.close()
    used = os.path.getsize(path) // PAGE
    pages = byte_count // PAGE
    os.truncate(path, pages * PAGE)
    # The page of the bytes that SQLite locks holds nothing.
    free = [page for page in range(used + 1, pages + 1) if page != (1 << 30) // PAGE + 1]
    count = len(free)
    room = PAGE // 4 - 8
    trunks = []
    while free:
        trunks.append((free[0], free[1 : room + 1]))
        free = free[room + 1 :]
    with open(path, "r+b") as file:
        for index, (trunk, leaves) in enumerate(trunks):
            following = trunks[index + 1][0] if index + 1 < len(trunks) else 0
            file.seek((trunk - 1) * PAGE)
            for number in (following, len(leaves), *leaves):
                file.write(number.to_bytes(4, "big"))
        file.seek(28)
        file.write(pages.to_bytes(4, "big"))
        file.write(trunks[0][0].to_bytes(4, "big"))
        file.write(count.to_bytes(4, "big"))


def memory(bench):
    """X1"""
    size = (256 << 20) if bench.is_quick else (2 << 30)
    place = bench.place("sparse")
    sparse_seed(place.source, size)
    os.remove(place.source + ".manifest.json")
    place.before = invariants.snapshot(place.bundle)
    limit = 64 << 20
    result, used = run_measured(bench, bench.command(place))
    bench.expect(result.code == 0, f"a seed of {size >> 20} MiB: {result}")
    bench.expect(used < limit, f"{used >> 20} MiB of memory for a seed of {size >> 20} MiB")
    if not bench.is_naive:
        bench.expect(os.path.getsize(place.destination) == size, "the size")
        bench.expect(invariants.state(place.destination) == "complete", "not complete")
        bench.expect_source(place, "a sparse seed")
    place.clear()
    return f"{size >> 20} MiB with {used / (1 << 20):.1f} MiB of memory"


def duration(bench):
    """X2"""
    size = 40_000_000 if bench.is_quick else 400_000_000
    seed = bench.make_seed("huge", size)
    said = [side_by_side(bench, seed)]
    if not bench.is_naive:
        said += [second_launch(bench), quiet(bench)]
    try:
        said.append(reflinked(bench, seed))
    except Skipped as reason:
        said.append(f"REFLINK SKIPPED: {reason}")
    return ", ".join(said)


def side_by_side(bench, seed):
    """Against `cp` and `sync` of the same file, in turns; with a digest, too, which costs time."""
    if bench.is_naive:
        return "no comparison"
    times = {"cp": [], "copied": [], "with a digest": []}
    place = bench.place("huge", seed)
    manifest, copy = place.source + ".manifest.json", os.path.join(place.folder, "copy")
    os.rename(manifest, copy + ".json")

    def measure(name, *commands):
        place.clear()
        subprocess.run(["sync", "-f", place.folder], check=True)
        started = time.monotonic()
        results = [bench.run(command) for command in commands]
        times[name].append(time.monotonic() - started)
        bench.expect(all(result.code == 0 for result in results), f"{name}: {results[-1]}")

    for _ in range(3 if bench.is_quick else 7):
        measure("cp", ["cp", "--reflink=never", place.source, copy], ["sync", copy])
        os.remove(copy)
        measure("copied", bench.command(place))
        os.rename(copy + ".json", manifest)
        measure("with a digest", bench.command(place))
        os.rename(manifest, copy + ".json")
    # The best of each: whatever else the machine does makes all of them slower only.
    best = {name: min(values) for name, values in times.items()}
    ratio = best["copied"] / best["cp"]
    # Small seeds are dominated by starting programs.
    bench.expect(bench.is_quick or ratio <= 1.1, f"{ratio:.2f} of cp and sync")
    said = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in best.items())
    return f"{os.path.getsize(seed) // 1_000_000} MB: {said}; {ratio:.2f} of cp and sync"


def second_launch(bench):
    place = bench.place()
    result = bench.run(bench.probing("time", place, "--count", 200))
    times = [float(text) for text in result.facts.get("microseconds", [])][1:]
    bench.expect(
        result.facts.get("outcome", [])[1:] == ["already-current"] * 199,
        f"later launches: {result}",
    )
    middle = statistics.median(times) if times else 1e9
    bench.expect(middle < 1000, f"a later launch takes {middle:.0f} us")
    return f"a later launch in {middle:.0f} us"


def quiet(bench):
    """A later launch writes nothing, and nobody but SQLite opens the database."""
    tracing.require(bench)
    place = bench.place()
    bench.install(place)
    before = invariants.snapshot(place.app)
    result, calls = tracing.trace(bench, bench.command(place), place)
    bench.expect(result["outcome"] == "already-current", f"a later launch: {result}")
    writing = [
        str(call)
        for call in calls
        if call.name
        in (
            "pwrite64",
            "ftruncate",
            "fchmod",
            "fsync",
            "unlink",
            "rename",
            "renameat2",
            "mkdir",
            "flock",
        )
        or call.name == "openat"
        and any(flag in call.text for flag in ("O_CREAT", "O_WRONLY", "O_RDWR"))
        or call.name == "write"
        and not call.text.startswith(("1,", "2,"))
    ]
    bench.expect(not writing, f"a later launch writes: {writing}")
    # SQLite follows no links at the end of a path, and looks at what it has opened at once.
    opened = [
        call.text for call in calls if call.name == "openat" and place.destination in call.text
    ]
    bench.expect(
        opened and all("O_NOFOLLOW" in text and "O_NONBLOCK" not in text for text in opened),
        f"opened other than by SQLite: {opened}",
    )
    bench.expect(invariants.snapshot(place.app) == before, "a later launch changed something")
    return f"which makes {len(calls)} calls and writes nothing"


def reflinked(bench, seed):
    """On XFS blocks are shared, whatever the size."""
    bench.power_seed = bench.small
    disk = power.Disk(bench, "xfs", "clone", "1200M")
    try:
        place = bench.place("huge", seed, folder=os.path.join(disk.path, "q"))
        seconds = float("inf")
        # The best of some: whatever else the machine does makes it slower only.
        for _ in range(1 if bench.is_naive else 5):
            place.clear()
            subprocess.run(["sync", "-f", disk.path], check=True)
            started = time.monotonic()
            result = bench.run(bench.probing("time", place))
            if bench.is_naive:
                subprocess.run(["sync", place.destination], check=True)
                seconds = time.monotonic() - started
            else:
                seconds = min(seconds, float(result["microseconds"] or 1e9) / 1e6)
                bench.expect(result["method"] == "reflink", f"no reflink: {result}")
        bench.expect(seconds < 0.05, f"on XFS {seconds * 1000:.0f} ms")
        return f"on XFS in {seconds * 1000:.1f} ms"
    finally:
        disk.remove()


def repeated_names(bench):
    """X3"""
    # In a namespace of its own every process has the same number.
    isolated = ["unshare", "--pid", "--fork", "--kill-child"]
    if subprocess.run([*isolated, "true"], capture_output=True).returncode != 0:
        raise Skipped("cannot make a namespace of processes here")
    for _ in range(10 if bench.is_naive else 1):
        place = same_numbers(bench, isolated)
        if bench.failures:
            break
    if bench.is_naive:
        return "16 processes of one number"
    # Dates of files mean nothing: not of the seed, nor of what is left over or locked.
    for moment in (0, 4_000_000_000):
        place.clear()
        left = os.path.join(place.app, ".shop.sqlite.staging-0123456789abcdef")
        for path in (left, place.lock):
            with open(path, "w") as file:
                file.write("x")
            os.utime(path, (moment, moment))
        os.utime(place.source, (moment, moment))
        place.before = invariants.snapshot(place.bundle)
        bench.expect_next(place, f"files of {time.gmtime(moment).tm_year}")
    return "16 processes of one number, files of 1970 and 2096"


def same_numbers(bench, isolated):
    place = bench.place()
    start = os.path.join(place.folder, "start")
    processes = []
    for number in range(16):
        options = ["--start", start, "--row", 100_000 + number]
        processes.append(bench.start([*isolated, *bench.probing("open", place, *options)]))
    for process in processes:
        process.stdout.read(len(b"ready=1\n"))
    open(start, "w").close()
    results = [bench.finish(process) for process in processes]
    failed = [result for result in results if result.code != 0]
    bench.expect(not failed, f"same numbers: {len(failed)} failed, first: {failed and failed[0]}")
    rows = invariants.rows(place.destination, "id >= 100000") if not failed else set()
    bench.expect(len(rows) == 16, f"same numbers: {len(rows)} of 16 rows")
    bench.expect_tidy(place, "same numbers")
    return place
