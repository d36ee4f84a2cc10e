"""No room, and calls that fail, are interrupted or not there."""

import contextlib
import errno
import os
import resource
import sqlite3
import subprocess

import invariants
import power
import tracing
from bench import Place

PAGE = 4096


def fill(path, free):
    """Takes all the room of a file system but some bytes."""
    size = os.statvfs(path)
    taken = size.f_bavail * size.f_frsize - free
    with open(os.path.join(path, "filler"), "wb") as file:
        if taken > 0:
            os.posix_fallocate(file.fileno(), 0, taken)


def full(bench):
    """S1"""
    tracing.require(bench)
    path = bench.mount("full", ["-t", "tmpfs", "-o", "size=16m", "seed-faults"])
    try:
        return fill_up(bench, path) + no_names(bench) + failing(bench, "ENOSPC")
    finally:
        bench.unmount(path)


def fill_up(bench, path):
    place = Place(os.path.join(path, "p"), bench.small, os.path.join(path, "p/app/shop.sqlite"))
    seed_pages = os.path.getsize(bench.small) // PAGE
    steps = 0
    # Where the file system cannot say how much is free, writing is what finds out.
    for blind in (False, True):
        prefix = ["-e", "inject=statfs:error=ENOSYS"] if blind else []
        for pages in range(0, seed_pages + 8, 4 if bench.is_quick else 1):
            place.clear()
            fill(path, pages * PAGE)
            what = f"{pages} pages free{' and no way to know' if blind else ''}"
            command = bench.command(place)
            if blind:
                command = [
                    "strace",
                    "-f",
                    "-qq",
                    "-o",
                    "/dev/null",
                    "-e",
                    "trace=statfs",
                    *prefix,
                    *command,
                ]
            result = bench.run(command)
            steps += result.code != 0
            if result.code == 0:
                bench.expect(
                    invariants.state(place.destination) == "complete", f"{what}: not whole"
                )
            else:
                bench.expect_error(
                    result, place, what, errors=["No space left", "bytes, the disk has", "full"]
                )
                bench.expect(
                    not os.path.lexists(place.destination),
                    f"{what}: something is at the destination",
                )
                bench.expect_tidy(place, what)
            os.remove(os.path.join(path, "filler"))
            bench.expect_next(place, what)
    return f"{steps} sizes too small, "


def no_names(bench):
    """A file system without room for one more name."""
    path = bench.mount("names", ["-t", "tmpfs", "-o", "size=16m,nr_inodes=5", "seed-faults"])
    refused = 0
    try:
        place = Place(os.path.join(path, "p"), bench.small, os.path.join(path, "p/app/shop.sqlite"))
        place.clear()
        for count in range(3):
            for name in range(count):
                open(os.path.join(path, f"p/{name}"), "w").close()
            result = bench.install(place)
            refused += result.code != 0
            if result.code != 0:
                bench.expect_error(result, place, f"{count} names taken", errors=["No space left"])
                bench.expect_tidy(place, f"{count} names taken")
            for name in range(count):
                os.remove(os.path.join(path, f"p/{name}"))
            bench.expect_next(place, f"{count} names taken")
            place.clear()
    finally:
        bench.unmount(path)
    return f"{refused} without a name, "


# What a call may be made to fail with: by kind, and which of them change something.
READING = (
    "read pread64 openat newfstatat fstat lstat readlink getdents64 statfs flock fcntl".split()
)
WRITING = "write pwrite64 copy_file_range ftruncate fchmod mkdir fsync fdatasync rename renameat2 link unlink close".split()


def failing(bench, error):
    """Call 1, 2, 3, ... of each kind fails."""
    names = (WRITING + ["openat"]) if error != "EIO" else READING + WRITING
    # An ioctl that the system refuses means that it cannot clone here, which is no failure.
    place = bench.place()
    tried = survived = 0
    result, calls = tracing.trace(bench, bench.command(place), place)
    for call in calls:
        if (
            call.name not in names
            or call.text.startswith(("1,", "2,"))
            or "/dev/urandom" in call.text
        ):
            continue
        if bench.is_quick and not call.is_changing and tried % 4:
            tried += 1
            continue
        place.clear()
        result = bench.run(tracing.inject(bench.command(place), call, f"error={error}"))
        tried += 1
        what = f"{error} from {call}"
        judge(bench, place, result, call, what, error)
        survived += result.code == 0
    return f"{tried} calls failed with {error}, {survived} without harm"


def judge(bench, place, result, call, what, error):
    state = bench.expect_whole(place, what)
    if result.code == 0:
        bench.expect(state == "complete", f"{what}: success, but the destination is {state}")
        bench.expect(
            call.name not in ("fsync", "fdatasync"), f"{what}: a failed fsync was taken for success"
        )
    else:
        bench.expect_error(
            result,
            place,
            what,
            errors=[
                os.strerror(getattr(errno, error)),
                "I/O",
                "full",
                "unable to open",
                "readonly",
            ],
        )
        # After the name is given, the folder is opened and synchronized.
        published = call.name in ("fsync", "openat") and state == "complete"
        bench.expect(
            state == "absent" or published or call.name == "close",
            f"{what}: failed, but the destination is {state}",
        )
        # What could not be deleted either is the next call's to delete.
        if call.name not in ("unlink", "newfstatat"):
            bench.expect_tidy(place, what)
    bench.expect_next(place, what)


def limited(bench):
    """S2"""
    place, steps = bench.place(), 0
    size = os.path.getsize(place.source)
    for most in range(0, size, PAGE * (6 if bench.is_quick else 1)):
        place.clear()

        def limit(most=most):
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        result = bench.install(place, preexec_fn=limit, restore_signals=False)
        what = f"files of at most {most} bytes"
        bench.expect_error(result, place, what, errors=["File too large", "full", "I/O"])
        bench.expect(not os.path.lexists(place.destination), f"{what}: something is there")
        bench.expect_tidy(place, what)
        bench.expect_next(place, what)
        steps += 1
    return f"{steps} limits; {failing(bench, 'EDQUOT')}"


def clone_without_room(bench):
    """S3"""
    bench.power_seed = bench.small
    disk = power.Disk(bench, "xfs", "full")
    seed = bench.make_seed("unstamped", 4_000_000, stamped=False, manifest=False)
    try:
        place = bench.place("full", seed, folder=os.path.join(disk.path, "q"))
        first = install_without_room(bench, disk, place)
        if bench.is_naive:
            return first
        result = bench.install(place)
        if not bench.expect(result["method"] == "reflink", f"no reflink: {result}"):
            return "no reflink"
        # The journal is made while there is room; nothing but the change itself is to fail.
        connection = sqlite3.connect(place.destination, isolation_level=None)
        connection.execute("PRAGMA journal_mode = PERSIST")
        connection.execute("INSERT INTO item VALUES (9999, 'mine')")
        filler, code = os.path.join(disk.path, "filler"), None
        fill_to_the_end(filler)
        try:
            for row in range(10_000, 20_000):
                connection.execute("INSERT INTO item VALUES (?, ?)", (row, "y" * 3000))
        except sqlite3.Error as error:
            code = str(error)
        connection.close()
        bench.expect(code == "database or disk is full", f"the app's insert: {code}")
        os.remove(filler)
        kept = invariants.rows(place.destination, "id = 9999")
        bench.expect(kept == {9999}, "I3, a row from before is lost")
        state = invariants.state(place.destination)
        bench.expect(state == "complete", f"after it: {state}")
        bench.expect_source(place, "a full disk")
        return f"{first}; reflink, then {code}; the database is complete"
    finally:
        disk.remove()


def install_without_room(bench, disk, place):
    """The disk has less room than the seed takes, which a clone does not need."""
    filler = os.path.join(disk.path, "filler")
    fill(disk.path, 1 << 20)
    subprocess.run(["sync", "-f", disk.path], check=True)
    result = bench.install(place)
    state = invariants.state(place.destination)
    what = "a megabyte of room for four"
    if bench.expect(result.code == 0, f"{what}: {result}; the destination is {state}"):
        bench.expect(result["method"] == "reflink", f"{what}: no reflink: {result}")
    bench.expect(state in ("absent", "complete"), f"{what}: I1, the destination is {state}")
    bench.expect_tidy(place, what)
    os.remove(filler)
    bench.expect_next(place, what)
    place.clear()
    return f"{what}: exit {result.code}, {state}"


def fill_to_the_end(path):
    """Takes what there is, in ever smaller pieces."""
    with open(path, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 16, PAGE):
            try:
                while True:
                    file.write(b"x" * size)
                    if size == PAGE:
                        os.fsync(file.fileno())
            except OSError:
                continue


def broken(bench):
    """E1"""
    tracing.require(bench)
    parts = [failing(bench, "EIO"), after_directory(bench), reading_in_use(bench)]
    return "; ".join(part for part in parts if part)


def after_directory(bench):
    """The folder's fsync fails after the name is given: an error, and the next call makes up for it."""
    if bench.is_naive:
        return ""
    place = bench.place()
    _, calls = tracing.trace(bench, bench.command(place), place)
    last = [call for call in calls if call.name == "fsync"][-1]
    place.clear()
    result = bench.run(tracing.inject(bench.command(place), last, "error=EIO"))
    bench.expect(result.code != 0, f"the folder's fsync failed: {result}")
    result, calls = tracing.trace(bench, bench.command(place), place)
    bench.expect(result.code == 0, f"the call after it: {result}")
    synced = [call for call in calls if call.name == "fsync"]
    bench.expect(bool(synced), "the call after a failed fsync of the folder does not repeat it")
    _, calls = tracing.trace(bench, bench.command(place), place)
    bench.expect(
        not [call for call in calls if call.name == "fsync"], "the call after that does so, too"
    )
    return "a failed fsync of the folder is made up for once"


def reading_in_use(bench):
    """A database that cannot be read at the moment is not a damaged one: repairing leaves it."""
    if bench.is_naive:
        return ""
    place, tried = bench.place(), 0
    for mode in ("delete", "wal"):
        place.clear()
        bench.expect(bench.install(place, "--journal-mode", mode).code == 0, f"{mode}: installing")
        with contextlib.closing(sqlite3.connect(place.destination)) as app:
            app.execute("INSERT INTO item VALUES (9999, 'mine')")
            app.commit()
        command = bench.command(place, "--repair")
        # Once, from then on, and at one place of each look: a page that cannot be read.
        steps = range(4, 7) if bench.is_quick else range(2, 9)
        for number in range(1, 7 if bench.is_quick else 9):
            for times in ("", "+", *(f"+{step}" for step in steps)):
                prefix = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", place.destination]
                prefix += ["-e", "trace=pread64"]
                prefix += ["-e", f"inject=pread64:error=EIO:when={number}{times}"]
                result = bench.run(prefix + command)
                what = f"{mode}, EIO from reading {number}{times}, --repair"
                bench.expect(result["outcome"] in ("already-current", ""), f"{what}: {result}")
                bench.expect("not an error" not in result.message, f"{what}: {result}")
                there = os.path.exists(place.destination) and invariants.rows(
                    place.destination, "id = 9999"
                )
                tried += 1
                if not bench.expect(there == {9999}, f"{what}: I3, the app's row is gone"):
                    return f"{tried} failed readings"
    return f"{tried} readings of a database in use failed"


# The calls that a signal may interrupt.
SLOW = "openat read pread64 write pwrite64 copy_file_range flock ftruncate ioctl fsync".split()


def interrupted(bench):
    """E2"""
    tracing.require(bench)
    place = bench.place()
    _, calls = tracing.trace(bench, bench.command(place), place)
    tried = 0
    for call in calls:
        if call.name not in SLOW or call.text.startswith(("1,", "2,")):
            continue
        if bench.is_quick and tried % 2 and not call.is_changing:
            tried += 1
            continue
        place.clear()
        result = bench.run(tracing.inject(bench.command(place), call, "error=EINTR"))
        tried += 1
        what = f"EINTR from {call}"
        bench.expect(result.code == 0, f"{what}: {result}")
        state = invariants.state(place.destination)
        bench.expect(state == "complete", f"{what}: the destination is {state}")
        bench.expect_tidy(place, what)
    return f"{tried} interrupted calls"


def unsupported(bench):
    """E3"""
    tracing.require(bench)
    errors = ["EOPNOTSUPP", "EXDEV", "EINVAL", "ENOSYS", "EPERM"]
    rungs, count = set(), 0
    # Without a manifest the bytes need not pass through the program, and the kernel copies them.
    for seed in (bench.small, bench.make_seed("bare", manifest=False)):
        for error in errors:
            for calls, publishing in (
                ([], "exclusiveRename"),
                (["ioctl"], "exclusiveRename"),
                (["ioctl", "copy_file_range"], "exclusiveRename"),
                (["ioctl", "copy_file_range", "renameat2"], "link"),
                (["ioctl", "copy_file_range", "renameat2", "link,linkat"], "lockedRename"),
            ):
                place = bench.place(seed=seed)
                prefix = ["strace", "-f", "-qq", "-o", "/dev/null"]
                for call in calls:
                    prefix += ["-e", f"inject={call}:error={error}"]
                if bench.is_naive:
                    prefix += ["-e", f"inject=sendfile,copy_file_range,rename:error={error}"]
                result = bench.run(prefix + bench.command(place))
                what = f"{error} from {', '.join(calls) or 'nothing'}"
                bench.expect(result.code == 0, f"{what}: {result}")
                bench.expect(
                    result["publishing"] == publishing,
                    f"{what}: published by {result['publishing']} instead of {publishing}",
                )
                rungs.add((result["method"], result["publishing"]))
                bench.expect_whole(place, what)
                bench.expect_next(place, what)
                count += 1
    return f"{count} installations: " + ", ".join(sorted(f"{a} and {b}" for a, b in rungs))
