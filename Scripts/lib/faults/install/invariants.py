"""What must hold at every instant, after every fault, and of every message: I1 to I7."""

import contextlib
import glob
import hashlib
import os
import re
import sqlite3
import stat

STEPS = (
    "resolve probe lock sweep checkSource space stage prepare validate syncFile quarantine publish"
    " syncDirectory unlock keepPrevious replace rollback"
).split()
STEP = re.compile(r"\((%s)\)" % "|".join(STEPS))
MAGIC = b"SQLite format 3\0"


def state(path, prefix="row"):
    """`absent`, `complete`, or what else the destination is."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return "absent"
    if not stat.S_ISREG(status.st_mode):
        return "no file"
    if status.st_size == 0:
        return "an empty file"
    finding = shape(path)
    if finding:
        return finding
    try:
        with contextlib.closing(
            sqlite3.connect(f"file:{escaped(path)}?mode=rw", uri=True)
        ) as database:
            database.execute("PRAGMA busy_timeout = 60000")
            finding = database.execute("PRAGMA quick_check(1)").fetchone()[0]
            if finding != "ok":
                return f"damaged: {finding}"
            rows = database.execute(
                "SELECT count(*), min(name) FROM item WHERE name LIKE ?", (prefix + " %",)
            ).fetchone()
    except sqlite3.Error as error:
        return f"unusable: {error}"
    return "complete" if rows[0] >= 300 else f"a database with {rows[0]} rows of the seed"


def escaped(path):
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def shape(path):
    """What is wrong with a file judged by its header and its size; None if nothing is.

    SQLite itself opens a database that was cut short without complaint.
    """
    try:
        with open(path, "rb") as file:
            start, size = file.read(100), os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return None
    if len(start) < 100:
        return f"a file of {size} bytes"
    if start[:16] != MAGIC:
        return "no database"
    page_size = int.from_bytes(start[16:18], "big")
    expected = (65536 if page_size == 1 else page_size) * int.from_bytes(start[28:32], "big")
    return f"cut off: {size} bytes instead of {expected}" if size < expected else None


def rows(path, condition="1"):
    """The keys of the rows that meet a condition."""
    with contextlib.closing(sqlite3.connect(f"file:{escaped(path)}?mode=rw", uri=True)) as database:
        database.execute("PRAGMA busy_timeout = 60000")
        return {row[0] for row in database.execute(f"SELECT id FROM item WHERE {condition}")}


def litter(destination):
    """Unfinished copies in the destination's folder, this package's and the naive loaders'."""
    folder, name = os.path.split(destination)
    patterns = (f".{name}.staging-*", f"{name}.tmp-*", ".dat.nosync*", f".{name}.tmp*")
    return sorted(
        os.path.basename(path)
        for pattern in patterns
        for path in glob.glob(os.path.join(glob.escape(folder), pattern), include_hidden=True)
    )


def snapshot(folder):
    """Bytes, permissions and times of all in a folder, and its own."""
    found = {}
    for place, _, names in os.walk(folder):
        status = os.stat(place)
        found[place] = (status.st_mode, status.st_mtime_ns)
        for name in names:
            path = os.path.join(place, name)
            status = os.stat(path)
            if status.st_size < 50_000_000:
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
            else:
                content = status.st_size
            found[path] = (status.st_mode, status.st_mtime_ns, content)
    return found
