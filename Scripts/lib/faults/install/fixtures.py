"""What lies at and beside a destination, and what is the matter with seeds."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys

import invariants
from bench import write_manifest

PAGE = 4096


def killed_writer(bench, mode):
    """Database, log and shared memory as a process leaves them that died in the middle of it."""
    folder = os.path.join(bench.folder, "writer-" + mode)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    path = os.path.join(folder, "shop.sqlite")
    shutil.copyfile(bench.small, path)
    code = (
        "import sqlite3, sys, os\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "c.execute('PRAGMA journal_mode = ' + sys.argv[2])\n"
        "c.execute('PRAGMA wal_autocheckpoint = 0')\n"
        "c.execute('PRAGMA cache_size = 1')\n"
        "c.execute('BEGIN')\n"
        "c.execute(\"UPDATE item SET name = 'stale ' || id || hex(randomblob(90))\")\n"
        "c.execute(\"INSERT INTO item VALUES (5000, 'stale')\")\n"
        "if sys.argv[2] == 'WAL': c.execute('COMMIT')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, path, mode.upper()], check=False)
    return path


def logs_of_others(bench):
    """W1"""
    seen, count = [], 0
    for mode, suffixes in (
        ("wal", ("-wal", "-shm")),
        ("wal", ("-wal",)),
        ("delete", ("-journal",)),
    ):
        place = bench.place()
        old = killed_writer(bench, mode)
        for suffix in suffixes:
            shutil.copyfile(old + suffix, place.destination + suffix)
        what = f"{' and '.join(suffixes)} beside an absent database"
        result = bench.install(place)
        bench.expect(result.code == 0, f"{what}: {result}")
        stale = stale_rows(place.destination)
        bench.expect(stale == 0, f"{what}: {stale} rows of the earlier database are back")
        bench.expect_whole(place, what)
        seen.append(str(stale))
        count += 1
        if not bench.is_naive:
            kept = result.facts["quarantined"]
            bench.expect(len(kept) == len(suffixes), f"{what}: moved aside: {kept}")
            for path in kept:
                bench.expect(os.path.getsize(path) > 0, f"{what}: {path} is empty")
        bench.expect_next(place, what)
    if not bench.is_naive:
        count += odd_siblings(bench)
    return f"{count} cases; rows of the earlier database that came back: {', '.join(seen)}"


def stale_rows(path):
    try:
        return len(invariants.rows(path, "name LIKE 'stale%'"))
    except sqlite3.Error as error:
        return str(error)


def odd_siblings(bench):
    for kind in ("empty", "folder"):
        place = bench.place()
        for suffix in ("-wal", "-shm", "-journal"):
            if kind == "empty":
                open(place.destination + suffix, "w").close()
            else:
                os.makedirs(place.destination + suffix + "/in")
        result = bench.install(place)
        bench.expect(result.code == 0, f"{kind} siblings: {result}")
        bench.expect(len(result.facts["quarantined"]) == 3, f"{kind} siblings: {result}")
        bench.expect_next(place, f"{kind} siblings")
    return 2


def log_in_use(bench):
    """W2"""
    said = [] if bench.is_naive else [same_seed_beside_log(bench)]
    for policy in ("keep",) if bench.is_naive else ("keep", "merge"):
        said.append(newer_seed_beside_log(bench, policy))
    return ", ".join(said)


def same_seed_beside_log(bench):
    place = bench.place()
    old = killed_writer(bench, "wal")
    for suffix in ("", "-wal", "-shm"):
        shutil.copyfile(old + suffix, place.destination + suffix)
    size = os.path.getsize(place.destination + "-wal")
    result = bench.install(place)
    bench.expect(result.code == 0, f"a log in use: {result}")
    bench.expect(os.path.getsize(place.destination + "-wal") == size, "the log was touched")
    bench.expect(result["outcome"] == "already-current", f"the outcome is {result['outcome']}")
    rows = invariants.rows(place.destination, "name LIKE 'stale%'")
    bench.expect(len(rows) == 301, f"I3, {len(rows)} of 301 rows of the log")
    bench.expect_source(place, "a log in use")
    return f"{len(rows)} rows of the log are there"


def newer_seed_beside_log(bench, policy):
    """The app was updated; the user's rows are in the log of a process that died."""
    place = bench.place("used", bench.make_seed("owned", owned=True))
    newer = bench.place("newer", bench.make_seed("owned-newer", version="2", rows=400, owned=True))
    loader, bench.loader = bench.loader, "seed"
    bench.expect(bench.install(place, "--journal-mode", "wal").code == 0, "the installation")
    bench.loader = loader
    code = (
        "import sqlite3, sys, os\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "c.execute('PRAGMA wal_autocheckpoint = 0')\n"
        "c.execute('BEGIN')\n"
        "c.execute('CREATE TABLE mine (x)')\n"
        "c.executemany('INSERT INTO mine VALUES (?)', [(str(n) * 300,) for n in range(100)])\n"
        "c.execute(\"INSERT INTO item VALUES (9000, 'mine')\")\n"
        "c.execute('COMMIT')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, place.destination], check=False)
    log = place.destination + "-wal"
    size = os.path.getsize(log)
    place.source, place.bundle, place.before = newer.source, newer.bundle, newer.before
    what = f"a newer seed beside a log, {policy}"
    result = bench.install(place, "--policy", policy)
    bench.expect(result.code == 0, f"{what}: {result}")
    if policy == "keep" and not bench.is_naive:
        there = os.path.getsize(log) if os.path.exists(log) else 0
        bench.expect(there == size, f"{what}: the log was touched: {there} bytes of {size}")
    try:
        with contextlib.closing(sqlite3.connect(place.destination)) as database:
            kept = database.execute("SELECT count(*) FROM mine").fetchone()[0]
            rows = len(database.execute("SELECT id FROM item WHERE id = 9000").fetchall())
            found = database.execute("SELECT count(*) FROM item WHERE id < 9000").fetchone()[0]
    except sqlite3.Error as error:
        bench.expect(False, f"{what}: I3, the user's rows: {error}")
        return f"{policy}: {error}"
    bench.expect((kept, rows) == (100, 1), f"{what}: I3, {kept + rows} of the user's 101 rows")
    expected = 400 if policy == "merge" else 300
    bench.expect(
        bench.is_naive or found == expected,
        f"{what}: {found} rows of the seed instead of {expected}",
    )
    bench.expect_whole(place, what)
    bench.expect_source(place, what)
    return f"{policy}: {kept + rows} of the user's 101 rows, {found} of the seed"


def seeds_with_logs(bench):
    """W3"""
    said = []
    for what, mode in (
        ("in WAL mode", "wal"),
        ("with a log", "wal"),
        ("with a hot journal", "delete"),
    ):
        place = bench.place()
        if what == "in WAL mode":
            shutil.copyfile(bench.make_seed("wal", mode="wal"), place.source)
            write_manifest(place.source)
        else:
            old = killed_writer(bench, mode)
            for suffix in ("", "-wal" if mode == "wal" else "-journal"):
                shutil.copyfile(old + suffix, place.source + suffix)
            os.remove(place.source + ".manifest.json")
        place.before = invariants.snapshot(place.bundle)
        result = bench.install(place)
        if what == "in WAL mode":
            bench.expect(result.code == 0, f"a seed {what}: {result}")
            bench.expect_next(place, f"a seed {what}")
        else:
            bench.expect_error(result, place, f"a seed {what}", errors=["unfinished log"])
            bench.expect(not os.path.exists(place.destination), f"a seed {what}: installed")
            bench.expect_tidy(place, f"a seed {what}")
        bench.expect_source(place, f"a seed {what}")
        said.append(f"{what}: exit {result.code}")
    return ", ".join(said)


def destinations(bench):
    """Z1"""
    place = bench.place()
    with open(place.source, "rb") as file:
        whole = file.read()
    schemaless = os.path.join(bench.folder, "schemaless")
    with contextlib.closing(sqlite3.connect(schemaless)) as database:
        database.execute("PRAGMA user_version = 1")
    with open(schemaless, "rb") as file:
        schemaless = file.read()
    contents = {"0 bytes": b"", "1 byte": b"S", "a header": whole[:100], "no tables": schemaless}
    for page in range(PAGE, len(whole), PAGE * (5 if bench.is_quick else 1)):
        for size in (page - 1, page, page + 1):
            contents[f"the first {size} bytes"] = whole[:size]
    contents["random bytes"] = bench.chance.randbytes(20_000)
    count = 0
    for what, content in contents.items():
        place.clear()
        with open(place.destination, "wb") as file:
            file.write(content)
        result = bench.install(place)
        bench.expect_error(result, place, what, errors=["cannot be used"])
        with open(place.destination, "rb") as file:
            bench.expect(file.read() == content, f"{what}: changed without --repair")
        result = bench.install(place, "--repair")
        if not bench.is_naive and bench.expect(result.code == 0, f"{what}, --repair: {result}"):
            with open(result["from"], "rb") as file:
                bench.expect(file.read() == content, f"{what}: the original was not kept")
            bench.expect_next(place, what)
        count += 1
    return f"{count} kinds of content, {zero_tail(bench, place, whole)}, {no_files(bench, place)}"


def zero_tail(bench, place, whole):
    """Of the right size, with zeros at its end: its size and header are good, so it stays."""
    place.clear()
    content = whole[:-PAGE] + bytes(PAGE)
    with open(place.destination, "wb") as file:
        file.write(content)
    result = bench.install(place)
    with open(place.destination, "rb") as file:
        bench.expect(file.read() == content, "a zero tail: changed")
    return f"a zero tail: {result['outcome'] or 'an error'}"


def no_files(bench, place):
    makers = {
        "a folder": lambda path: os.makedirs(path),
        "a FIFO": lambda path: os.mkfifo(path),
        "a dangling link": lambda path: os.symlink("nowhere", path),
        "a loop of links": lambda path: os.symlink(os.path.basename(path), path),
        "a link to a database": lambda path: os.symlink(place.source, path),
    }
    for what, make in makers.items():
        for options in ([], ["--repair"]):
            place.clear()
            make(place.destination)
            mode = os.lstat(place.destination).st_mode
            result = bench.run(bench.command(place, *options), timeout_seconds=10)
            bench.expect_error(
                result, place, what, errors=["is a", "is not a regular", "directory"]
            )
            bench.expect(os.lstat(place.destination).st_mode == mode, f"{what}: it was replaced")
            bench.expect_source(place, what)
    place.clear()
    loader, bench.loader = bench.loader, "seed"
    bench.install(place)
    bench.loader = loader
    os.link(place.destination, place.destination + ".second")
    result = bench.install(place)
    bench.expect(result.code == 0, f"a second name: {result}")
    bench.expect(os.stat(place.destination).st_nlink == 2, "a second name: it was replaced")
    return f"{len(makers)} kinds of no file"


def seeds(bench):
    """Z2"""
    place = bench.place(seed=bench.make_seed("tiny", rows=ROWS_OF_TINY))
    with open(place.source, "rb") as file:
        whole = file.read()
    found = 0
    step = len(whole) // 40 if bench.is_quick else 97
    flips = [(f"byte {at} flipped", flipped(whole, at)) for at in range(0, len(whole), step)]
    cuts = [(f"cut to {size} bytes", whole[:size]) for size in range(0, len(whole), PAGE // 2)]
    with open(bench.make_seed("other", seed_name="other", prefix="other"), "rb") as file:
        cuts.append(("another seed", file.read()))
    for what, content in flips + cuts:
        place.clear()
        with open(place.source, "wb") as file:
            file.write(content)
        place.before = invariants.snapshot(place.bundle)
        result = bench.install(place)
        found += result.code != 0
        bench.expect_error(result, place, what)
        bench.expect(not os.path.lexists(place.destination), f"{what}: installed")
        bench.expect_tidy(place, what)
        bench.expect_source(place, what)
    with open(place.source, "wb") as file:
        file.write(whole)
    for key in ("user_version", "application_id"):
        place.clear()
        with open(place.source + ".manifest.json") as file:
            text = file.read()
        with open(place.source + ".manifest.json", "w") as file:
            file.write(text.replace("{", '{"%s": 7, ' % key, 1))
        result = bench.install(place)
        bench.expect_error(result, place, f"another {key}", errors=[key])
        bench.expect(not os.path.lexists(place.destination), f"another {key}: installed")
        with open(place.source + ".manifest.json", "w") as file:
            file.write(text)
    return f"{found} of {len(flips) + len(cuts)} damaged seeds refused"


ROWS_OF_TINY = 300


def flipped(content, at):
    return content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :]
